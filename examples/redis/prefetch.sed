# SPDX-License-Identifier: MIT
# For Redis's src/rdb.c: once a key is known, its bucket is prefetched while the value is read.
s/^\( *\)val = rdbLoadObject(type,rdb,key,db->id,&error);$/\1dictPrefetch(db->dict, key);\n&/
s/^int rdbLoadRioWithLoadingCtx(.*{$/static void dictPrefetch(dict *d, const void *key) {\
    if (dictSize(d) > 0)\
        __builtin_prefetch(\&d->ht_table[0][dictHashKey(d, key) \& DICTHT_SIZE_MASK(d->ht_size_exp[0])]);\
}\
\
&/
