import { sourceOf } from '@ordinator/model/areas/sales/brands'
import { Funnel, FunnelScript } from '@ordinator/model/areas/sales/funnel'
import { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import { SalesSource } from '@ordinator/model/areas/sales/lead'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Records } from '#records/records.ts'
import { incoming } from './incoming.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** Operator data of the demo clinic: scripts of the funnels, intakes for requests, and requests. */
export async function demoDesk(records: Records): Promise<void> {
  const system = records.asSystem
  const [idFunnel, ...others] = (await system.rows(Funnel, { sort: 'order' })).map(({ id }) => id)
  if (idFunnel === undefined) return
  for (const script of await system.rows(OldScript, { sort: 'id', limit: '20' })) {
    await system.create(FunnelScript, { idFunnel, idScript: script.id })
    if (script.name.startsWith('Возражение'))
      for (const other of others) await system.create(FunnelScript, { idFunnel: other, idScript: script.id })
  }
  const form = await system.create(Intake, {
    name: 'Форма на сайте',
    kind: 'form',
    idFunnel,
    title: 'Запись на приём',
    thanks: 'Спасибо! Перезвоним в течение часа.',
  })
  const hook = await system.create(Intake, { name: 'Телефония и реклама', kind: 'webhook', idFunnel })
  const sources = await system.rows(SalesSource, { sort: 'id', limit: '100' })
  for (const [i, { ago, rejected, isHook, ...fields }] of demoRequests.entries()) {
    const { touch, ...lead } = incoming(fields)
    const idSource = sourceOf(touch, sources)?.id
    await system.create(LeadRequest, {
      ...lead,
      idIntake: isHook ? hook.id : form.id,
      ...(isHook ? { idExternal: `demo-${i + 1}` } : {}),
      ...(idSource ? { idSource } : {}),
      dateCreate: new Date(Date.now() - ago).toISOString(),
      ...(rejected
        ? {
            state: 'rejected',
            reason: rejected,
            idUser: records.actor.id,
            dateSorted: new Date(Date.now() - ago + 12 * MINUTE).toISOString(),
          }
        : {}),
    })
  }
}

interface DemoRequest extends Record<string, unknown> {
  /** Milliseconds before now. */
  ago: number
  isHook?: true
  rejected?: string
}

const demoRequests: readonly DemoRequest[] = [
  {
    ago: 3 * DAY,
    name: 'SEO-продвижение',
    email: 'promo@mail.example',
    message: 'Выведем ваш сайт в топ',
    rejected: 'Реклама',
  },
  {
    ago: 26 * 60 * MINUTE,
    name: 'Лаптева Ольга Денисовна',
    phone: '8 (900) 001-10-24',
    message: 'Можно ли пройти диспансеризацию за один день?',
    page: 'https://clinic.example/check-up?utm_source=yandex&utm_medium=cpc&utm_campaign=check-up',
  },
  {
    ago: 5 * 60 * MINUTE,
    isHook: true,
    name: 'Пропущенный звонок',
    phone: '+7 900 001-20-45',
    utm_source: '2gis',
  },
  {
    ago: 95 * MINUTE,
    name: 'Игорь',
    phone: '900 001 20 51',
    message: 'УЗИ брюшной полости, удобно утром',
    page: 'https://clinic.example/uzi',
    referrer: 'https://www.google.com/',
  },
  {
    ago: 40 * MINUTE,
    isHook: true,
    name: 'Марина',
    phone: 'есть в WhatsApp',
    email: 'marina@mail.example',
    message: 'Сколько стоит приём аллерголога и когда ближайшая запись?',
    utm_source: 'whatsapp',
  },
  { ago: 8 * MINUTE, name: 'Фомин Артём Николаевич', phone: '+7 (900) 001-20-63', page: 'https://clinic.example/site' },
]
