// A small MCP server over stdio, for agents of the tests: its tool `deploy` asks the person by a form with a string, a
// boolean, a number and a choice, and says what came back.
import readline from 'node:readline';

const form = {
  message: 'Where shall it go?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'Of the release', maxLength: 20 },
      dry: { type: 'boolean', title: 'Dry run', default: true },
      place: { type: 'string', title: 'Place', enum: ['staging', 'production'], enumNames: ['Staging', 'Production'] },
      copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 5 },
    },
    required: ['name', 'dry', 'place'],
  },
};
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n');
const waiting = new Map(); // calls of the tool, by the id of the form that each waits for
let last = 0;

const does = {
  initialize: (m) => send({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} },
    serverInfo: { name: 'elicits', version: '1' } } }),
  ping: (m) => send({ id: m.id, result: {} }),
  'tools/list': (m) => send({ id: m.id, result: { tools: [{ name: 'deploy', description: 'Deploys after it asked.',
    inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } }] } }),
  'tools/call': (m) => {
    const id = `form-${++last}`;
    waiting.set(id, m.id);
    send({ id, method: 'elicitation/create', params: form });
  },
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (m.method) return does[m.method]?.(m);
  const call = waiting.get(m.id);
  waiting.delete(m.id);
  send({ id: call, result: { content: [{ type: 'text', text: `the form says ${JSON.stringify(m.result ?? m.error)}` }] } });
});
