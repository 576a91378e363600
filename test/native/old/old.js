#!/usr/bin/env node
// A reference program of another version of the protocol.
process.stdout.write('{"hello":{"protocol":0,"language":"Old","compiler":"oldc 1","libraries":{}}}\n');
