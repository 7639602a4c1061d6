import { z } from 'zod'
import { call, idParams } from '../../call.ts'

export const agentCalls = {
  file: call({
    method: 'POST',
    path: '/desk-agents/:id/file',
    summary: 'Файл агента с его ключом внутри; прежний файл этого рабочего места перестаёт действовать',
    access: 'mainSettings',
    fresh: true,
    params: idParams,
    answer: z.object({ name: z.string(), text: z.string() }),
    limit: 20,
  }),
  revoke: call({
    method: 'POST',
    path: '/desk-agents/:id/revoke',
    summary: 'Отозвать ключ агента: связь с ним обрывается сразу',
    access: 'mainSettings',
    params: idParams,
  }),
  check: call({
    method: 'POST',
    path: '/desk-agents/:id/check',
    summary: 'Спросить агента, отвечает ли он',
    access: 'mainSettings',
    params: idParams,
    answer: z.object({ durationMs: z.int(), version: z.string(), isOld: z.boolean() }),
    limit: 60,
  }),
}
