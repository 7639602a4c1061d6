import { z } from 'zod'
import { call, idParams } from '../../call.ts'
import { OldScript } from './script.ts'

const id = z.int()

export const scriptCalls = {
  counts: call({
    method: 'GET',
    path: '/old-scripts/counts',
    summary: 'Сколько скриптов в каждой группе (idGroup пуст — без группы), вложенные группы не в счёт',
    access: OldScript.access.view ?? [],
    answer: z.array(z.object({ idGroup: z.int().nullable(), count: z.int() })),
  }),
  used: call({
    method: 'GET',
    path: '/old-scripts/:id/used',
    summary: 'Где используется скрипт: воронки и шаги регламентов; что спрашивающему не видно — только числом',
    access: 'editScripts',
    params: idParams,
    answer: z.object({
      funnels: z.array(z.object({ id, name: z.string() })),
      steps: z.array(z.object({ id, title: z.string(), idRegulation: id, regulation: z.string() })),
      hidden: z.object({ funnels: id, steps: id }),
    }),
  }),
}

/** Places that use a script: names of those the user may see, a count of the others. */
export type ScriptUses = z.output<(typeof scriptCalls)['used']['answer']>
