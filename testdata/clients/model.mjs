// A model on loopback with one thing to say, so that real agents run without an account: it calls one tool, and then
// repeats what came back. It speaks OpenAI's responses (Codex) and chat completions (opencode), and Gemini's
// generateContent.
//
//   node model.mjs PORTFILE [LOG]    writes the port that it listens on into PORTFILE, and what it says into LOG, one
//                                    line of JSON each
//
// A prompt that holds `play=NAME` calls NAME of plays.json, any other one asks by the tool provide_choice. What a
// person writes later is repeated too.
import http from 'node:http';
import fs from 'node:fs';

const asks = {
  title: 'Which store?', prompt: 'An agent of the tests asks.', selection_mode: 'single',
  options: [{ id: 'pg', label: 'PostgreSQL', recommended: true }, { id: 'lite', label: 'SQLite' }],
};
const plays = JSON.parse(fs.readFileSync(new URL('plays.json', import.meta.url)));
const [, , portFile, log] = process.argv;
let calls = 0;

// say is what comes next: the call, or what came back since the prompt that it was made for. tools: those the agent
// offers; talk: what was said so far, [{by: 'user' | 'tool', text}].
function say(tools, talk) {
  if (!tools.length) return { text: 'a title' };
  const name = (m) => m.by === 'user' && m.text.match(/play=(\w+)/)?.[1];
  const from = talk.findLastIndex(name);
  const play = plays[name(talk[from] ?? {})] ?? { tool: 'provide_choice', args: asks };
  const later = talk.slice(from + 1).filter((m) => from >= 0 || m.by === 'tool');
  const tool = tools.find((t) => t.name === play.tool) ?? tools.find((t) => t.name.endsWith(play.tool));
  if (later.length) return { text: later.map((m) => (m.by === 'tool' ? 'GOT ' : 'READ ') + m.text).join(' ') };
  if (!tool) return { text: 'NO TOOL ' + play.tool + ' among ' + tools.map((t) => t.name).join(' ') };
  return { tool, id: 'call_' + ++calls, args: play.args };
}

function says(tools, talk) {
  const s = say(tools, talk);
  if (log) fs.appendFileSync(log, JSON.stringify(s.tool ? { calls: s.tool.name } : { says: s.text }) + '\n');
  return s;
}

const text = (c) => (typeof c === 'string' ? c : JSON.stringify(c));

function responses(body, send) {
  const tools = (body.tools ?? []).flatMap((t) =>
    t.type === 'namespace' ? t.tools.map((u) => ({ name: u.name, namespace: t.name })) : [{ name: t.name ?? t.type }]);
  const talk = (body.input ?? []).flatMap((m) => m.role === 'user' ? [{ by: 'user', text: text(m.content) }]
    : m.type?.endsWith('_call_output') ? [{ by: 'tool', text: text(m.output) }] : []);
  const s = says(tools, talk);
  const item = s.tool
    ? { type: 'function_call', id: 'fc_' + s.id, call_id: s.id, ...s.tool, arguments: JSON.stringify(s.args) }
    : { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: s.text, annotations: [] }] };
  const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
  for (const event of [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r', output: [item], usage } },
  ]) send(event, event.type);
}

function chat(body, send) {
  const tools = (body.tools ?? []).map((t) => ({ name: t.function.name }));
  const talk = body.messages.filter((m) => m.role === 'user' || m.role === 'tool')
    .map((m) => ({ by: m.role, text: text(m.content) }));
  const s = says(tools, talk);
  const delta = s.tool
    ? { role: 'assistant', tool_calls: [{ index: 0, id: s.id, type: 'function',
        function: { name: s.tool.name, arguments: JSON.stringify(s.args) } }] }
    : { role: 'assistant', content: s.text };
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: body.model };
  send({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
  send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: s.tool ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  send('[DONE]');
}

function gemini(body, send) {
  const tools = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []);
  const talk = (body.contents ?? []).flatMap((c) => (c.parts ?? []).flatMap((p) => p.functionResponse
    ? [{ by: 'tool', text: text(p.functionResponse.response) }]
    : p.text && c.role === 'user' ? [{ by: 'user', text: p.text }] : []));
  const s = says(tools, talk);
  const wantsJSON = /json/.test(body.generationConfig?.responseMimeType ?? '');
  const said = wantsJSON ? JSON.stringify({ reasoning: 'x', next_speaker: 'user', model_choice: 'flash' }) : s.text;
  const parts = s.tool ? [{ functionCall: { id: s.id, name: s.tool.name, args: s.args } }] : [{ text: said }];
  send({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], modelVersion: 'm',
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
}

const server = http.createServer((req, res) => {
  let raw = '';
  req.on('data', (part) => { raw += part; });
  req.on('end', () => {
    const body = raw ? JSON.parse(raw) : {};
    const path = req.url.split('?')[0];
    const streams = body.stream || path.includes('stream');
    const speak = path.endsWith('/responses') ? responses : path.endsWith('/chat/completions') ? chat
      : path.includes('enerateContent') ? gemini : null;
    if (!speak) {
      res.writeHead(path.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }], models: [], totalTokens: 1 }));
      return;
    }
    res.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    speak(body, (event, type) => {
      const line = typeof event === 'string' ? event : JSON.stringify(event);
      res.write(streams ? (type ? `event: ${type}\n` : '') + `data: ${line}\n\n` : line);
    });
    res.end();
  });
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync(portFile, String(server.address().port)));
