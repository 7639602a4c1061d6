/** Clients of outside systems that a clinic sets up, each with its simulator. */

import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { AttachmentArea } from '@ordinator/model/areas/attachment/area'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Semd } from '@ordinator/model/areas/egisz/semd'
import { SnilsQuery } from '@ordinator/model/areas/eln/snils'
import { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { tfomsAdapter } from '#areas/attachment/tfoms.ts'
import { cloudLine } from '#areas/calls/telephony/cloud.ts'
import { nsiConnection } from '#areas/egisz/connection.ts'
import { registerAdapter } from '#areas/egisz/register.ts'
import { sfrOf } from '#areas/eln/sfr.ts'
import { snilsAdapter } from '#areas/eln/snils.ts'
import { post } from '#areas/exchange/deliver.ts'
import { posted } from '#areas/outside/pushing.ts'
import { signatureForSimulator } from '#areas/signatures/index.ts'
import { mdlpOf } from '#areas/warehouse/mdlp/wire.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import { remote } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import { startAggregators } from './aggregatorsSimulator.ts'
import { smallDictionary, startEgisz } from './egiszSimulator.ts'
import { startElnSimulator } from './elnSimulator.ts'
import {
  byStatus,
  exchanged,
  hasty,
  outbound,
  PATIENCE,
  type Verdict,
  verdictIn,
  verdictOf,
  type Wires,
} from './faultVerdicts.ts'
import { good } from './good.ts'
import { type Clinic, testApp } from './harness.ts'
import { type MdlpSimulator, startMdlpSimulator } from './mdlpSimulator.ts'
import { addPerson } from './people.ts'
import { say, simulator } from './simulator.ts'
import { startWebhookReceiver } from './webhookReceiver.ts'

const state = { eln: '/eln', snils: '/snils', tfoms: '/tfoms' } as const

const OID = '1.2.643.5.1.13.13.11.1002'

export let clinic: Clinic
export let mdlp: MdlpSimulator
export const numbers = () => verdictOf(numbersAsked)
export async function numbersAsked(): Promise<void> {
  const numbers = await (await sfrOf(clinic.context)).newNumbers('1027700132195', 1)
  if (!numbers.isGood) throw new AdapterFault(numbers.words)
}
const signature = signatureForSimulator(Buffer.from('<x/>')).toString('base64')

/** What a channel of booking is sent: the seller's answer has only a status. */
export async function sellers(): Promise<Wires> {
  const by = await startAggregators()
  const wire = remote({ outbound, exchanged }, { adapter: 'sellers', url: `${by.url}/rta/api/v1`, isOwn: true })
  return {
    'Площадка записи': {
      by,
      truths: byStatus,
      act: (key) => verdictOf(() => posted(wire, { path: '/clinics', body: { clinics: [{ name: key }] } })),
    },
  }
}

/** Systems that a clinic connects by its settings. */
export async function inClinic(): Promise<
  Record<'eln' | 'snils' | 'tfoms' | 'mdlp' | 'egisz' | 'nsi' | 'mango' | 'zadarma' | 'webhooks', Wires>
> {
  mdlp = await startMdlpSimulator()
  const [sfr, egisz, pbx, receiver] = await Promise.all([
    startElnSimulator(),
    startEgisz({}),
    simulator({ routes: (_request, reply) => say(reply, 200, { result: 1000, status: 'success' }) }),
    startWebhookReceiver(),
  ])
  egisz.dictionaries.set(OID, smallDictionary('1.0', { '1': 'врач' }))
  let idUser = 0
  clinic = await testApp({
    env: {
      ...Object.fromEntries(
        Object.entries(state).map(([name, path]) => [`${name.toUpperCase()}_URL`, `${sfr.url}${path}`]),
      ),
      EGISZ_URL: egisz.url,
      MDLP_URL: mdlp.url,
      MANGO_URL: pbx.url,
      ZADARMA_URL: pbx.url,
    },
    outbound: { allow: ['127.0.0.1'], timeout: PATIENCE },
    async prepare(app) {
      idUser = (await addPerson(app, 'chief', ['mainSettings', 'editUsers', 'viewElnList', 'manageSignatures'])).id
    },
  })
  const { context } = clinic
  hasty(context.outbound)
  const set = async (values: object) => good(await clinic.as('chief').put('/settings/common', values))
  const use = (telephonyProvider: string) => set({ telephonyProvider, telephonyKey: 'key', telephonySecret: 'salt' })
  await set({
    ...{ elnMode: 'test', sosnilsSearch: true, sosnilsMode: 'test', tfomsMode: 'test', tfomsCode: '630001' },
    ...{ mdlpMode: 'test', mdlpClientId: 'clinic', mdlpUser: 'chief', mdlpPassword: 'demo' },
    ...{ egiszMode: 'simulator', egiszOid: '1.2.643.5.1.13.13.12.2.63.9999' },
  })
  await use('mango')

  const system = context.engine.for(systemActor).asSystem
  const patient = await system.create(Customer, {
    ...{ surname: 'Сбоев', name: 'Пётр', birthday: '01.02.1980', gender: 'male' },
  })
  const query = await system.create(SnilsQuery, { idCustomer: patient.id })
  const now = new Date().toISOString()
  const { id: idFilial } = await system.create(Filial, { nameFilial: 'Первый', shortFilialName: 'П', filialCode: 'П1' })
  const area = await system.create(AttachmentArea, { name: '№ 1', kind: 'therapy', idFilial, idUser })
  const application = await system.create(AttachmentApplication, {
    ...{ surname: 'Сбоев', name: 'Пётр', birthday: '01.02.1980', idFilial, idArea: area.id },
    ...{ submittedAt: now, dueAt: now },
  })
  const kind = await system.create(EgiszDocument, {
    ...{ kind: 'laboratory', code: '9001', edition: 1, dateFrom: '2026-01-01' },
  })
  const semd = await system.create(Semd, {
    ...{ title: 'Справка', idKind: kind.id, source: 'taxCertificate', idSource: 1, idCustomer: patient.id },
    ...{ localUid: 'uid-1', setUid: 'set-1', findings: [], dateDocument: now },
  })
  const message = (key: string, payload: object) => ({
    ...{ id: 1, operation: 'cancel', title: '', key, subject: null, about: null, correlationId: null },
    ...{ attempts: 0, memo: undefined, payload },
  })
  const attempt = { signal: new AbortController().signal, remember: async () => {} }
  const sent = async (
    adapter: { send(...given: never[]): Promise<Outcome> },
    key: string,
    payload: object,
  ): Promise<Verdict> => {
    const send = adapter.send as (of: object, attempt: object) => Promise<Outcome>
    return verdictIn(await send(message(key, payload), attempt))
  }
  let turn: Promise<unknown> = Promise.resolve()
  /** One provider is set at a time. */
  const dial = (provider: 'mango' | 'zadarma') => (session: string) => {
    const line = turn.then(async () => {
      await use(provider)
      return cloudLine(context)
    })
    turn = line.catch(() => {})
    return verdictOf(async () =>
      (await line)?.exchange.originate({ sipPhone: '201', phone: '+79161234567', session, failed: () => {} }),
    )
  }
  return {
    eln: { 'СФР: номера': { by: sfr, act: numbers } },
    snils: {
      'СФР: СНИЛС': {
        by: sfr,
        truths: byStatus,
        act: (key) => sent(snilsAdapter(context), key, { idQuery: query.id }),
      },
    },
    tfoms: {
      ТФОМС: {
        by: sfr,
        truths: byStatus,
        act: (key) => sent(tfomsAdapter(context), key, { idApplication: application.id }),
      },
    },
    mdlp: {
      МДЛП: {
        by: mdlp,
        act: (key) => verdictOf(async () => (await mdlpOf(context))?.send('<x/>', signature, key)),
        signIn: async () => (await mdlpOf(context))?.check(),
      },
    },
    egisz: {
      РЭМД: { by: egisz, act: (key) => sent(registerAdapter(context), key, { idSemd: semd.id, reason: 'Проверка' }) },
    },
    nsi: {
      // Read only: its answer is judged by who reads it.
      НСИ: {
        by: egisz,
        truths: byStatus,
        act: () =>
          verdictOf(async () => (await nsiConnection(context)).remote.quietly({ path: `/passport?identifier=${OID}` })),
      },
    },
    mango: { 'Mango Office': { by: pbx, act: dial('mango') } },
    zadarma: { Zadarma: { by: pbx, act: dial('zadarma') } },
    webhooks: {
      // The answer's body is empty, and a message without an answer is repeated.
      Вебхук: {
        by: receiver,
        truths: { ...byStatus, fails: ['certain'] },
        async act(key) {
          const request = JSON.stringify({ id: key })
          const { isTaken, code } = await post(context, { url: receiver.url, secret: 'whsec_c2VjcmV0', request })
          return isTaken ? 'done' : code === null ? 'unknown' : 'certain'
        },
      },
    },
  }
}
