import { z } from 'zod'
import { signedIn } from '../../access.ts'
import { call } from '../../call.ts'

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
}
