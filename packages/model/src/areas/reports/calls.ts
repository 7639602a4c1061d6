import { z } from 'zod'
import { signedIn } from '../../access.ts'
import { call } from '../../call.ts'
import { figures } from '../../reportCalls.ts'
import { reportWidgets } from './widgets.ts'

const keys = Object.keys(reportWidgets)

export const reportCatalogueCalls = {
  catalogue: call({
    method: 'GET',
    path: '/reports',
    summary: 'Отчёты, которые открыты сотруднику',
    access: signedIn,
    answer: z.object({
      items: z.array(z.object({ key: z.string(), title: z.string(), help: z.string(), group: z.string() })),
    }),
  }),
  widgets: call({
    method: 'GET',
    path: '/dashboard/figures',
    summary: `Показатели блоков рабочего стола (keys через запятую: ${keys.join(', ')}); блок, на который нет прав, приходит с refusal`,
    access: signedIn,
    query: z.strictObject({
      keys: z
        .string()
        .max(400)
        .refine((text) => text.split(',').every((key) => keys.includes(key)), 'Неизвестный блок рабочего стола'),
    }),
    answer: z.object({
      items: z.array(z.object({ key: z.string(), figures: figures.nullable(), refusal: z.string().nullable() })),
    }),
  }),
}
