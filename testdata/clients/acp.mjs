// An editor that speaks the Agent Client Protocol, in a terminal: it starts an agent, sends it one prompt, shows what the
// agent says, and asks its person for the permissions that the agent asks it for.
//
//	node acp.mjs PROMPT COMMAND [ARGUMENT...]
//
// A digit answers the oldest open request with the option of that number, `c` cancels the turn. An editor shows a request
// until it has answered it, so this one does, too. At the end of the turn it stays, as an editor does.
import { spawn } from 'node:child_process';
import readline from 'node:readline';

const [prompt, command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
agent.on('exit', (code) => { console.log('the agent ended:', code); process.exit(0); });

const asked = []; // the open requests for a permission, oldest first
const calls = new Map(); // our own requests without an answer, by id
let session;

const send = (message) => agent.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const call = (method, params) => new Promise((done, fail) => {
  const id = calls.size;
  calls.set(id, { done, fail });
  send({ id, method, params });
});

function show({ params }) {
  const numbered = params.options.map((o, i) => `${i + 1}. ${o.name}`);
  console.log(`Allow ${params.toolCall.title}?\n${numbered.join('\n')}`);
}

function answer(outcome) {
  const request = asked.shift();
  if (!request) return;
  send({ id: request.id, result: { outcome } });
  console.log('answered:', outcome.optionId ?? outcome.outcome);
}

readline.createInterface({ input: agent.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (!message.method) {
    const { done, fail } = calls.get(message.id);
    return message.error ? fail(message.error) : done(message.result);
  }
  if (message.method === 'session/request_permission') {
    asked.push(message);
    return show(message);
  }
  if (message.id !== undefined) return send({ id: message.id, error: { code: -32601, message: 'not here' } });
  const update = message.params?.update;
  if (update?.sessionUpdate === 'agent_message_chunk') console.log('says:', update.content.text);
  if (update?.status === 'completed' || update?.status === 'failed') console.log('the call', update.status);
});

if (process.stdin.isTTY) process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => {
  for (const key of String(keys)) {
    if (key === '\x03') process.exit(0);
    if (key === 'c') {
      send({ method: 'session/cancel', params: { sessionId: session } });
      while (asked.length) answer({ outcome: 'cancelled' });
    }
    const option = asked[0]?.params.options[Number(key) - 1];
    if (option) answer({ outcome: 'selected', optionId: option.optionId });
  }
});
process.on('exit', () => agent.kill());

try {
  await call('initialize', { protocolVersion: 1, clientInfo: { name: 'editor', version: '1' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } } });
  session = (await call('session/new', { cwd: process.cwd(), mcpServers: [] })).sessionId;
  const { stopReason } = await call('session/prompt', { sessionId: session, prompt: [{ type: 'text', text: prompt }] });
  console.log('the turn ended:', stopReason);
} catch (error) {
  console.log('failed:', JSON.stringify(error));
}
