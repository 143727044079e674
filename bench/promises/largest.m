% SPDX-License-Identifier: MIT
% largest.m rows|columns: the largest of each series, which is a row of a matrix, or a column.
series = reshape(mod((1:2000000) * 7919, 1009), 1000, 2000);
total = 0;
if strcmp(argv(){1}, 'rows')
  for i = 1:1000
    total += max(series(i, :));
  end
else
  series = series.';
  for i = 1:1000
    total += max(series(:, i));
  end
end
disp(total)
