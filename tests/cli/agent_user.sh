# SPDX-License-Identifier: MIT
# The user that the agent's unit creates, with the capabilities that it grants. Sourced by root.
chmod 755 .
mkdir own && chown nobody own
mkdir -p own_root/bin && cp "$hardmeter" own_root/bin/hardmeter && cp -r "$(dirname "$hardmeter")/../libexec" own_root/
capabilities=$(sed -n 's/^CapabilityBoundingSet=//p' "$(dirname "${BASH_SOURCE[0]}")/../../cmake/install/hardmeter-agent.service" |
  tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
# as_agent_user OPTION...: runs the agent, with a store and a folder in own/.
as_agent_user() {
  local set=-all,$capabilities
  setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs --inh-caps="$set" --ambient-caps="$set" \
    --bounding-set="$set" own_root/bin/hardmeter agent --store own/store --folder own/spool --budget 100% "$@"
}
