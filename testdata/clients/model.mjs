// A model on loopback that follows a script, so that real agents run without an account: it calls tools one step after
// another, and at last repeats what came back. It speaks OpenAI's responses (Codex) and chat completions (opencode,
// Copilot, Qwen), Gemini's generateContent and Anthropic's messages (Claude Code).
//
//   node model.mjs PORTFILE [LOG]    writes the port that it listens on into PORTFILE, and a line of JSON into LOG for
//                                    each request that offers tools: when the reply was sent, the tools, what was heard
//                                    since its last reply, and what it calls or says
//
// A prompt that holds `play=NAME` plays NAME of plays.json, any other one asks by the tool provide_choice. A play is one
// step, that many times over where it has `again`, or a list of steps; a step is {tool, args}, a list of those for calls
// in parallel, or the name of a play whose steps take its place. It `says` words before it calls, and `thinks` that many
// letters first (Claude Code). $N is the number of the step, $WORK
// and $LONG are taken from the environment, and $PLANFILE is the file that Claude Code names for a plan.
import http from 'node:http';
import fs from 'node:fs';

const [, , portFile, log] = process.argv;
const script = fs.readFileSync(new URL('plays.json', import.meta.url), 'utf8');
const plays = JSON.parse(script.replace(/\$(WORK|LONG)/g, (_, name) => process.env[name]));
let calls = 0;

// decide says what comes next. tools: those the agent offers; talk: what was said so far,
// [{by: 'user' | 'tool' | 'call' | 'model', text}].
function decide(tools, talk) {
  const name = (m) => m.by === 'user' && m.text.match(/play=(\w+)/g)?.at(-1).slice(5);
  const from = talk.findLastIndex(name);
  const play = plays[name(talk[from] ?? {})] ?? plays.ask;
  const later = talk.slice(from + 1).filter((m) => from >= 0 || m.by !== 'user');
  const done = later.filter((m, i) => m.by === 'call' && later[i - 1]?.by !== 'call').length;
  const steps = (Array.isArray(play) ? play : Array(play.again ?? 1).fill(play))
    .flatMap((s) => (typeof s === 'string' ? plays[s] : [s]));
  const step = steps[done];
  if (!step) {
    const heard = later.filter((m) => m.by === 'tool' || m.by === 'user');
    return { text: heard.map((m) => (m.by === 'tool' ? 'GOT ' : 'READ ') + m.text).join(' ') };
  }
  const found = [step].flat().map((s) => {
    const tool = tools.find((t) => t.name === s.tool) ?? tools.find((t) => t.name.endsWith(s.tool));
    const args = JSON.parse(JSON.stringify(s.args ?? {}).replaceAll('$N', done + 1));
    return tool ? { ...tool, id: 'call_' + ++calls, args, thinks: s.thinks, says: s.says } : { missing: s.tool };
  });
  const missing = found.find((c) => c.missing)?.missing;
  if (missing) return { text: 'NO TOOL ' + missing + ' among ' + tools.map((t) => t.name).join(' ') };
  return { calls: found };
}

// reply decides and notes it. It returns {calls} or {text}.
function reply(tools, talk) {
  if (!tools.length) return { text: 'a title' };
  const next = decide(tools, talk);
  const heard = talk.slice(talk.findLastIndex((m) => m.by === 'call' || m.by === 'model') + 1).map((m) => m.text);
  const does = next.calls ? { calls: next.calls.map((c) => c.name) } : { says: next.text };
  const line = JSON.stringify({ at: Date.now(), tools: tools.map((t) => t.name), heard, ...does });
  if (log) fs.appendFileSync(log, line + '\n');
  return next;
}

const text = (c) => (typeof c === 'string' ? c : JSON.stringify(c));

function responses(body, send) {
  const tools = (body.tools ?? []).flatMap((t) =>
    t.type === 'namespace' ? t.tools.map((u) => ({ name: u.name, namespace: t.name })) : [{ name: t.name ?? t.type }]);
  const talk = (body.input ?? []).flatMap((m) => m.role === 'user' ? [{ by: 'user', text: text(m.content) }]
    : m.role === 'assistant' ? [{ by: 'model' }] : m.type?.endsWith('_call') ? [{ by: 'call' }]
    : m.type?.endsWith('_call_output') ? [{ by: 'tool', text: text(m.output) }] : []);
  const next = reply(tools, talk);
  const items = next.calls?.map((c) => ({ type: 'function_call', id: 'fc_' + c.id, call_id: c.id, name: c.name,
    namespace: c.namespace, arguments: JSON.stringify(c.args) }))
    ?? [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: next.text, annotations: [] }] }];
  const says = next.calls?.[0].says;
  if (says) items.unshift({ type: 'message', id: 'm' + ++calls, role: 'assistant', content: [{ type: 'output_text', text: says, annotations: [] }] });
  const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
  for (const event of [
    { type: 'response.created', response: { id: 'r' } },
    ...items.flatMap((item, i) => [{ type: 'response.output_item.added', output_index: i, item },
      { type: 'response.output_item.done', output_index: i, item }]),
    { type: 'response.completed', response: { id: 'r', output: items, usage } },
  ]) send(event, event.type);
}

function chat(body, send) {
  const tools = (body.tools ?? []).map((t) => ({ name: t.function.name }));
  const talk = body.messages.flatMap((m) => m.role === 'user' || m.role === 'tool' ? [{ by: m.role, text: text(m.content) }]
    : m.role === 'assistant' ? [{ by: m.tool_calls?.length ? 'call' : 'model' }] : []);
  const next = reply(tools, talk);
  const message = next.calls
    ? { role: 'assistant', content: next.calls[0].says ?? null, tool_calls: next.calls.map((c, index) => ({ index, id: c.id, type: 'function',
        function: { name: c.name, arguments: JSON.stringify(c.args) } })) }
    : { role: 'assistant', content: next.text };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish_reason = next.calls ? 'tool_calls' : 'stop';
  if (!body.stream) {
    return send({ id: 'c', object: 'chat.completion', created: 1, model: body.model,
      choices: [{ index: 0, message, finish_reason }], usage });
  }
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: body.model };
  send({ ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] });
  send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage });
  send('[DONE]');
}

function gemini(body, send) {
  const tools = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []);
  const talk = (body.contents ?? []).flatMap((c) => (c.parts ?? []).flatMap((p) => p.functionResponse
    ? [{ by: 'tool', text: text(p.functionResponse.response) }] : p.functionCall ? [{ by: 'call' }]
    : p.text ? [c.role === 'user' ? { by: 'user', text: p.text } : { by: 'model' }] : []));
  const wantsJSON = /json/.test(body.generationConfig?.responseMimeType ?? '');
  const next = wantsJSON ? { text: JSON.stringify({ reasoning: 'x', next_speaker: 'user', model_choice: 'flash' }) }
    : reply(tools, talk);
  const parts = next.calls?.map((c) => ({ functionCall: { id: c.id, name: c.name, args: c.args } })) ?? [{ text: next.text }];
  if (next.calls?.[0].says) parts.unshift({ text: next.calls[0].says });
  send({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], modelVersion: 'm',
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
}

function messages(body, send, raw) {
  const talk = body.messages.filter((m) => m.role !== 'system').flatMap((m) => {
    const parts = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content ?? [];
    if (m.role === 'assistant') return [{ by: parts.some((p) => p.type === 'tool_use') ? 'call' : 'model' }];
    return parts.flatMap((p) => p.type === 'tool_result' ? [{ by: 'tool', text: text(p.content) }]
      : p.type === 'text' && !p.text.startsWith('<system-reminder>') ? [{ by: 'user', text: p.text }] : []);
  });
  const next = reply(body.tools ?? [], talk);
  const plan = raw.match(/[^\s"\\`]*\/\.claude\/plans\/[^\s"\\`]+\.md/)?.[0];
  const blocks = next.calls?.map((c) => ({ type: 'tool_use', id: 'toolu_' + c.id, name: c.name,
    input: c.args.file_path === '$PLANFILE' ? { ...c.args, file_path: plan } : c.args })) ?? [{ type: 'text', text: next.text }];
  if (next.calls?.[0].says) blocks.unshift({ type: 'text', text: next.calls[0].says });
  const thinks = next.calls?.[0].thinks;
  if (thinks) blocks.unshift({ type: 'thinking', thinking: 'x'.repeat(thinks), signature: 'none' });
  const message = { id: 'msg_' + ++calls, type: 'message', role: 'assistant', model: body.model, stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 } };
  const stop_reason = next.calls ? 'tool_use' : 'end_turn';
  if (!body.stream) return send({ ...message, content: blocks, stop_reason });
  const empty = { text: { type: 'text', text: '' }, thinking: { type: 'thinking', thinking: '', signature: '' } };
  const deltas = (b) => b.type === 'text' ? [{ type: 'text_delta', text: b.text }]
    : b.type === 'tool_use' ? [{ type: 'input_json_delta', partial_json: JSON.stringify(b.input) }]
    : [{ type: 'thinking_delta', thinking: b.thinking }, { type: 'signature_delta', signature: b.signature }];
  for (const event of [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks.flatMap((b, index) => [
      { type: 'content_block_start', index, content_block: empty[b.type] ?? { ...b, input: {} } },
      ...deltas(b).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index }]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]) send(event, event.type);
}

const server = http.createServer((req, res) => {
  let raw = '';
  req.on('data', (part) => { raw += part; });
  req.on('end', () => {
    const body = raw ? JSON.parse(raw) : {};
    const path = req.url.split('?')[0];
    const streams = body.stream || path.includes('stream');
    const speak = path.endsWith('/responses') ? responses : path.endsWith('/chat/completions') ? chat
      : path.endsWith('/messages') ? messages : path.includes('enerateContent') ? gemini : null;
    if (!speak) {
      res.writeHead(/\/models|count/.test(path) ? 200 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }], models: [], totalTokens: 1,
        input_tokens: 1 }));
      return;
    }
    res.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    speak(body, (event, type) => {
      const line = typeof event === 'string' ? event : JSON.stringify(event);
      res.write(streams ? (type ? `event: ${type}\n` : '') + `data: ${line}\n\n` : line);
    }, raw);
    res.end();
  });
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync(portFile, String(server.address().port)));
