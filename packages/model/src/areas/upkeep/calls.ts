import { z } from 'zod'
import { call, idParams, oneOf, rowOf } from '../../call.ts'
import { Backup } from './backup.ts'
import { healthGroups, healthPages, healthStates } from './health.ts'

const access = 'mainSettings'

export const upkeepCalls = {
  backupsState: call({
    method: 'GET',
    path: '/backups/state',
    summary: 'Резервные копии: где лежат, последняя удачная, когда следующая, о чём тревожиться',
    access,
    answer: z.object({
      /** Why the product makes no backups, in Russian; null: it does. */
      refusal: z.string().nullable(),
      place: z.string(),
      /** Backups are on the disk of the database. */
      isSameDisk: z.boolean(),
      freeBytes: z.number().nullable(),
      passphrase: z.enum(['server', 'setting']).nullable(),
      last: z
        .object({
          id: z.int(),
          date: z.iso.datetime(),
          size: z.number(),
          trial: z.string(),
          dateTrial: z.string().nullable(),
        })
        .nullable(),
      next: z.iso.datetime().nullable(),
      isRunning: z.boolean(),
      /** Warning for administrators on the dashboard; null: none. */
      alert: z.string().nullable(),
    }),
  }),
  makeBackup: call({
    method: 'POST',
    path: '/backups/make',
    summary: 'Сделать резервную копию сейчас, в фоне',
    access,
    status: 201,
    limit: 10,
    answer: rowOf(Backup),
  }),
  cancelBackup: call({
    method: 'POST',
    path: '/backups/:id/cancel',
    summary: 'Остановить копию, которая делается',
    access,
    params: idParams,
    answer: rowOf(Backup),
  }),
  tryBackup: call({
    method: 'POST',
    path: '/backups/:id/trial',
    summary: 'Восстановить копию в запасную папку и пересчитать записи и файлы, в фоне',
    access,
    params: idParams,
    limit: 10,
    answer: rowOf(Backup),
  }),
  backupFile: call({
    method: 'GET',
    path: '/backups/:id/file',
    summary: 'Скачать копию; отдаются только зашифрованные',
    access,
    fresh: true,
    params: idParams,
    file: 'application/octet-stream',
  }),
  health: call({
    method: 'GET',
    path: '/health-report',
    summary: 'Состояние системы простыми словами, с тем, что делать',
    access,
    answer: z.object({
      items: z.array(
        z.object({
          key: z.string(),
          group: oneOf(healthGroups),
          title: z.string(),
          state: oneOf(healthStates),
          words: z.string(),
          todo: z.string().nullable(),
          page: z.enum(healthPages).nullable(),
        }),
      ),
    }),
  }),
}
