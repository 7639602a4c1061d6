import { z } from 'zod'
import { call, id, idParams, idText } from '../../call.ts'
import { messages } from '../../messages.ts'

/** What a shift is handed over of, each at will. */
export const handoverParts = { chats: 'Чаты', calls: 'Звонки', appeals: 'Обращения', tasks: 'Задачи' } as const
export type HandoverPart = keyof typeof handoverParts

const counts = z.object({ chats: z.int(), calls: z.int(), appeals: z.int(), tasks: z.int() })

/** Minutes in which what was handed over can be taken back. */
export const HANDOVER_UNDO_MIN = 15

/** Whoever has something that can be handed over. */
const access = ['supportOperator', 'viewCallJournal', 'editAppeals', 'viewTasksManagement'] as const

export const centreCalls = {
  handover: call({
    method: 'GET',
    path: '/shift-handover',
    summary: 'Передача смены: что передаётся, кому можно, и что передали мне за последние 12 часов',
    access,
    query: z.strictObject({
      /** What this employee can take. */
      to: idText.optional(),
    }),
    answer: z.object({
      counts,
      /** Tasks that stay: the one chosen is in none of their workspaces. */
      staying: z.int(),
      /** What the one chosen has no right to. */
      closed: z.array(z.enum(Object.keys(handoverParts) as [HandoverPart, ...HandoverPart[]])),
      people: z.array(z.object({ id, shortFio: z.string(), isOnline: z.boolean() })),
      received: z.array(z.object({ id, from: z.string(), note: z.string(), dateCreate: z.string(), counts })),
      /** The own last one, while it can be taken back. */
      given: z.object({ id, to: z.string(), dateCreate: z.string() }).nullable(),
    }),
  }),
  handOver: call({
    method: 'POST',
    path: '/shift-handover',
    summary: 'Передать смену: всё выбранное одному сотруднику с одной заметкой, целиком или никак',
    access,
    body: z.strictObject({
      idUser: id,
      note: z
        .string(messages.string)
        .trim()
        .min(1, 'Напишите, что важно знать')
        .max(2000, messages.maxLength(2000))
        .refine((value) => !value.includes('\0'), messages.nul),
      parts: z
        .array(z.enum(Object.keys(handoverParts) as [HandoverPart, ...HandoverPart[]]))
        .min(1, 'Выберите, что передать'),
    }),
    answer: z.object({ id, counts }),
  }),
  undoHandover: call({
    method: 'POST',
    path: '/shift-handover/:id/undo',
    summary: `Забрать переданное обратно, в первые ${HANDOVER_UNDO_MIN} минут: то, к чему принявший ещё не прикоснулся`,
    access,
    params: idParams,
    answer: z.object({ counts }),
  }),
} as const
