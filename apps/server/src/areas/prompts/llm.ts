/** Client of the language model by the chat protocol of OpenAI; classifies the outcome of a request. */
import { MAX_ANSWER } from '@ordinator/model/areas/prompts/answer'
import { type AiPlace, aiPlaceOf } from '#areas/settings/index.ts'
import { askAi, refusalWords } from '#platform/aiServer.ts'
import type { AppContext } from '#records/context.ts'
import { type Question, simulatedChat } from './simulated.ts'

/** Timeout in milliseconds. */
const TIMEOUT = 120_000
/** Bytes of a response around its text. */
const ENVELOPE = 20_000
/** Maximum number of tokens of an answer. */
const MAX_TOKENS = 4_000

export type ModelAnswer =
  | { is: 'answered'; text: string; tokensIn: number | null; tokensOut: number | null }
  | { is: 'refused' | 'silent' | 'nonsense' | 'tooLong'; reason: string }

interface Chat {
  choices?: { message?: { content?: unknown; refusal?: unknown }; finish_reason?: unknown }[]
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown }
}

/** @param timeout milliseconds, if not the default */
export async function askModel(place: AiPlace, question: Question, timeout = TIMEOUT): Promise<ModelAnswer> {
  if (place.mode === 'simulator') return { is: 'answered', ...simulatedChat(question) }
  const reply = await askAi(place, '/chat/completions', {
    type: 'application/json',
    timeout,
    maxAnswer: MAX_ANSWER + ENVELOPE,
    body: JSON.stringify({
      ...(question.model && { model: question.model }),
      temperature: question.temperature,
      max_tokens: MAX_TOKENS,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: question.system },
        { role: 'user', content: question.user },
      ],
    }),
  })
  if (reply.is === 'silent') return { is: 'silent', reason: reply.reason }
  if (reply.is === 'barred') return { is: 'refused', reason: reply.reason }
  if (reply.status >= 500) return { is: 'silent', reason: refusalWords(reply.status) }
  if (reply.status >= 300) return { is: 'refused', reason: refusalWords(reply.status) }
  if (reply.isCut) return { is: 'tooLong', reason: 'Ответ длиннее, чем принимает программа' }
  return answerIn(reply.text)
}

function answerIn(text: string): ModelAnswer {
  let chat: Chat
  try {
    chat = (JSON.parse(text) ?? {}) as Chat
  } catch {
    return { is: 'nonsense', reason: 'Сервер ответил не по протоколу OpenAI' }
  }
  const [choice] = Array.isArray(chat.choices) ? chat.choices : []
  const content = choice?.message?.content
  if (choice?.message?.refusal || choice?.finish_reason === 'content_filter')
    return { is: 'refused', reason: 'Нейросеть отказалась отвечать' }
  if (choice?.finish_reason === 'length') return { is: 'tooLong', reason: 'Ответ не поместился целиком' }
  if (typeof content !== 'string' || content.trim() === '')
    return { is: 'nonsense', reason: 'В ответе сервера нет слов' }
  if (Buffer.byteLength(content) > MAX_ANSWER)
    return { is: 'tooLong', reason: 'Ответ длиннее, чем принимает программа' }
  const { prompt_tokens, completion_tokens } = chat.usage ?? {}
  return { is: 'answered', text: content, tokensIn: countOf(prompt_tokens), tokensOut: countOf(completion_tokens) }
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 1e9 ? value : null

export const modelOf = (app: AppContext): Promise<AiPlace | undefined> => aiPlaceOf(app, 'llm')
