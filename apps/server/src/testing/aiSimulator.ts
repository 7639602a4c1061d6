/**
 * Simulator of a server with the OpenAI protocol, on loopback: a language model and speech recognition whose answers depend
 * on the hash of the input. `npm run simulate ai` runs it standalone (LLM_URL and ASR_URL=http://127.0.0.1:8091/v1); its page shows
 * requests and modes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { simulatedChat } from '#areas/prompts/simulated.ts'
import { simulatedTranscription } from '#areas/transcripts/simulated.ts'
import { type Simulator, simulator } from './simulator.ts'

/** Behaviour. `words`: a valid answer of the protocol with other content than requested. */
const moods = [
  'answers',
  'refuses',
  'declines',
  'silent',
  'words',
  'nonsense',
  'long',
  'cut',
  'broken',
  'invents',
] as const
export type AiMood = (typeof moods)[number]

export interface AiSimulator extends Simulator<AiMood> {
  /** Requests, the latest last: the prompt of a model, or the size of a recording. */
  asked: { path: string; body: string; authorization: string | undefined; answer: string }[]
}

/** @param port 0: any free port */
export async function startAiSimulator(port = 0): Promise<AiSimulator> {
  const server = await simulator({
    port,
    page: {
      title: 'Нейросеть и распознавание',
      moods,
      lines: () => ai.asked.map(({ path, body, answer }) => `${path}\n${body}\n${answer.slice(0, 4_000)}`),
    },
    routes: (request, reply, _text, _url, bytes) => answer(request, reply, bytes),
  })
  async function answer(request: IncomingMessage, reply: ServerResponse, body: Buffer<ArrayBuffer>): Promise<unknown> {
    const url = request.url ?? '/'
    if (request.method === 'GET') return reply.end()
    const isChat = url.endsWith('/chat/completions')
    const one = {
      path: url,
      body: isChat ? body.toString('utf8') : `${body.length} bytes`,
      authorization: request.headers.authorization,
      answer: '',
    }
    ai.asked.push(one)
    const say = (status: number, content: unknown) => {
      one.answer = typeof content === 'string' ? content : JSON.stringify(content)
      reply.writeHead(status, { 'content-type': 'application/json' }).end(one.answer)
    }
    if (ai.mood === 'silent') return
    if (ai.mood === 'refuses') return say(401, { error: { message: 'Incorrect API key' } })
    if (ai.mood === 'broken') return say(500, { error: { message: 'out of memory' } })
    if (ai.mood === 'nonsense') return say(200, '<html>It works!</html>')
    if (ai.mood === 'long') return say(200, { text: 'а'.repeat(5_000_000), choices: [] })
    if (isChat) return say(200, chat(JSON.parse(body.toString('utf8')) as Chat))
    return say(200, await transcription(request.headers['content-type'] ?? '', body))
  }

  function chat({ model, messages }: Chat) {
    const [system = '', user = ''] = messages.map(({ content }) => content)
    const { text, tokensIn, tokensOut } = simulatedChat({ system, user })
    const content = ai.mood === 'words' ? 'Извините, я всего лишь языковая модель.' : text
    const message = ai.mood === 'declines' ? { content: null, refusal: 'I cannot help with that' } : { content }
    return {
      model,
      choices: [{ index: 0, message, finish_reason: ai.mood === 'cut' ? 'length' : 'stop' }],
      usage: { prompt_tokens: tokensIn, completion_tokens: tokensOut },
    }
  }

  async function transcription(type: string, body: Buffer<ArrayBuffer>) {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const file = form.get('file') as File
    const wave = Buffer.from(await file.arrayBuffer())
    const words = simulatedTranscription(wave, String(form.get('prompt') ?? ''))
    // Phrases that models are known to invent for silence.
    const invented = [
      { word: 'Субтитры', from: 0, to: 0.4 },
      { word: 'сделал', from: 0.4, to: 0.8 },
      { word: 'DimaTorzok', from: 0.8, to: 1.2 },
    ]
    const all = ai.mood === 'invents' && words.length === 0 ? invented : words
    return {
      text: all.map(({ word }) => word).join(' '),
      words: all.map(({ word, from, to }) => ({ word, start: from, end: to })),
    }
  }

  const ai: AiSimulator = Object.assign(server, {
    url: `${server.url}/v1`,
    asked: [],
  } satisfies Partial<AiSimulator>)
  return ai
}

interface Chat {
  model?: string
  messages: { role: string; content: string }[]
}

/** Port of `npm run simulate ai`. */
const PORT = 8091
if (import.meta.main) console.log(`Нейросеть и распознавание речи: ${(await startAiSimulator(PORT)).url}`)
