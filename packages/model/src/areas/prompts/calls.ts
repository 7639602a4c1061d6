import { z } from 'zod'
import { call, id, idParams, oneOf, rowOf, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { Examination } from '../examinations/examination.ts'
import type { Masked } from './mask.ts'
import { MAX_INPUT, PromptRun, promptKinds } from './prompt.ts'
import { MAX_PROMPT, type OutputField } from './template.ts'

const words = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .max(max, messages.maxLength(max))
    .refine((value) => !value.includes('\0'), messages.nul)

/** Text to send, beside the original. */
const leaving = z.object({
  /** The original. */
  original: z.string(),
  /** The masked text that would be sent. */
  text: z.string(),
  found: z.array(shapeOf<Masked>()),
  /** Host of the model, or the reason why it cannot be used. */
  place: z.string(),
  isReady: z.boolean(),
  model: z.string(),
})
export type Leaving = z.output<typeof leaving>

const ofExamination = z.strictObject({ idPrompt: id, talk: words(MAX_INPUT).min(1, 'Нужен текст приёма') })
const ofCall = z.strictObject({ idPrompt: id })

const sample = z.strictObject({
  /** Text to try; absent: a saved version. */
  version: z.int().positive().optional(),
  text: words(MAX_PROMPT).optional(),
  model: words(120).nullable().optional(),
  temperature: z.number(messages.number).min(0).max(2).optional(),
  outputSchema: z.array(shapeOf<OutputField>()).max(40).nullable().optional(),
  sample: words(MAX_INPUT).min(1, 'Нужен пример разговора'),
})

export const promptCalls = {
  offered: call({
    method: 'GET',
    path: '/prompts/offered',
    summary: 'Подсказки, которые подходят к осмотру или звонку, с последним запуском о нём',
    access: ['iiProtocolPrompt', 'iiCallPrompt'],
    query: z.object({
      subject: z.enum(['calls', 'examinations']),
      idEntity: z.coerce.number<number>().int().positive(),
    }),
    answer: z.object({
      prompts: z.array(z.object({ id, name: z.string(), isDefault: z.boolean() })),
      /** The latest run, pending or done. */
      run: rowOf(PromptRun).nullable(),
    }),
  }),
  previewCall: call({
    method: 'POST',
    path: '/calls/:id/prompt/preview',
    summary: 'Что уйдёт в нейросеть о звонке: как есть и без личных данных. Никуда не отправляется',
    access: 'iiCallPrompt',
    params: idParams,
    body: ofCall,
    answer: leaving,
  }),
  runCall: call({
    method: 'POST',
    path: '/calls/:id/prompt',
    summary: 'Спросить нейросеть о звонке; ответ приходит в запуск подсказки',
    access: 'iiCallPrompt',
    params: idParams,
    body: ofCall,
    limit: 30,
    status: 201,
    answer: rowOf(PromptRun),
  }),
  previewExamination: call({
    method: 'POST',
    path: '/examinations/:id/prompt/preview',
    summary: 'Что уйдёт в нейросеть об осмотре: как есть и без личных данных. Никуда не отправляется',
    access: 'iiProtocolPrompt',
    params: idParams,
    body: ofExamination,
    answer: leaving,
  }),
  runExamination: call({
    method: 'POST',
    path: '/examinations/:id/prompt',
    summary: 'Черновик осмотра от нейросети: осмотр не меняется, пока врач не примет поля',
    access: 'iiProtocolPrompt',
    params: idParams,
    body: ofExamination,
    limit: 30,
    status: 201,
    answer: rowOf(PromptRun),
  }),
  preview: call({
    method: 'POST',
    path: '/prompts/:id/preview',
    summary: 'Что уйдёт в нейросеть с примером разговора',
    access: 'editPrompts',
    params: idParams,
    body: sample,
    answer: leaving,
  }),
  test: call({
    method: 'POST',
    path: '/prompts/:id/test',
    summary: 'Проба подсказки на примере: сохранённой версии или слов, которые ещё не сохранены',
    access: 'editPrompts',
    params: idParams,
    body: sample,
    limit: 30,
    status: 201,
    answer: rowOf(PromptRun),
  }),
  cancel: call({
    method: 'POST',
    path: '/prompts/runs/:id/cancel',
    summary: 'Больше не ждать ответа: что придёт, не записывается',
    access: ['iiProtocolPrompt', 'iiCallPrompt', 'editPrompts'],
    params: idParams,
    answer: rowOf(PromptRun),
  }),
  acceptParts: call({
    method: 'POST',
    path: '/prompts/runs/:id/accept',
    summary:
      'Принять поля черновика в осмотр: они помечаются «Сформировано ИИ». base — что в них стояло у спрашивающего',
    access: 'iiProtocolPrompt',
    params: idParams,
    body: z.strictObject({
      parts: z.array(z.string().max(60)).min(1, 'Выберите поля').max(100),
      base: z.record(z.string().max(60), z.unknown()),
    }),
    answer: rowOf(Examination),
  }),
  acceptChecks: call({
    method: 'POST',
    path: '/prompts/runs/:id/checks',
    summary: 'Принять чек-лист звонка, как его услышала нейросеть',
    access: 'iiCallPrompt',
    params: idParams,
    answer: z.object({ score: z.number().nullable() }),
  }),
  acceptStep: call({
    method: 'POST',
    path: '/prompts/runs/:id/step',
    summary: 'Следующий шаг разговора становится обещанием того, кто говорил',
    access: 'iiCallPrompt',
    params: idParams,
    body: z.strictObject({
      text: words(255).min(1, messages.required),
      date: z.iso.datetime({ offset: true, error: messages.dateTime }),
    }),
  }),
  spent: call({
    method: 'GET',
    path: '/prompts/spent',
    summary: 'Запуски и расход за месяцы: сколько, чем кончились, сколько стоили',
    access: ['iiProtocolPrompt', 'iiCallPrompt', 'editPrompts'],
    query: z.object({ kind: oneOf(promptKinds).optional() }),
    answer: z.object({
      months: z.array(
        z.object({
          month: z.string(),
          runs: z.int(),
          done: z.int(),
          tokens: z.number(),
          cost: z.number(),
          good: z.int(),
          bad: z.int(),
        }),
      ),
    }),
  }),
}
