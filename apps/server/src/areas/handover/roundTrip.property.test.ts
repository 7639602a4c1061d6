import { Customer } from '@ordinator/model/areas/customers/customer'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { isStored } from '@ordinator/model/fields/field'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn, plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { giveBonuses } from '#areas/money/index.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { MOVER, openMove } from '#testing/moves.ts'
import { addPerson } from '#testing/people.ts'
import { billing, worldOf } from '#testing/visits.ts'
import { codeless, handing } from './testing/handing.ts'

/**
 * A branch of a random clinic is handed over, and its archive is moved into an empty clinic by the moving-in itself: no row
 * is left, the sums are those of the list of contents, the cards are equal field by field, nothing of the other branch has
 * come, and a handover of the branch that it became gives the same tables.
 */
/** Written by whoever must not be in the archive. */
const SECRET = 'ТАЙНА ДРУГОГО ФИЛИАЛА'

const surnames = ['Аистов', 'Бобров', 'Воробьёв', 'Галкин', 'Дроздов', 'Ежов', 'Журавлёв', 'Зябликов']
const words = fc.constantFrom('просто', 'с "кавычками"; и точкой', 'в две\nстроки', '=СУММА(1)', '+7 да', 'a,b')

const patient = fc.record({
  where: fc.constantFrom('here', 'here', 'both', 'there'),
  note: fc.option(words, { nil: undefined }),
  card: fc.record({
    noSms: fc.boolean(),
    noEmail: fc.boolean(),
    bloodGroup: fc.constantFrom('o', 'abNegative', undefined),
    disability: fc.constantFrom('none', 'second'),
    region: fc.constantFrom('Тверская область', undefined),
    numberRoomFact: fc.constantFrom('12', '=1', undefined),
    birthday: fc.constantFrom('09.02.1981', '29.02.2000', undefined),
    gender: fc.constantFrom('none', 'female', 'male'),
    promoter: fc.option(
      words.map((text) => text.replace('\n', ' ')),
      { nil: undefined },
    ),
  }),
  tags: fc.subarray(['Постоянный', 'Скидка, большая', 'Важный']),
  visits: fc.array(
    fc.record({
      end: fc.constantFrom('completed', 'completed', 'cancelled', 'noShow', 'booked'),
      qty: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 2 },
  ),
  isComing: fc.boolean(),
  pays: fc.integer({ min: 0, max: 5_000 }),
  bonus: fc.constantFrom(0, 0, 120.5),
  certificate: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  plan: fc.array(
    fc.record({
      stage: fc.constantFrom('Терапия', 'Ортопедия'),
      qty: fc.integer({ min: 1, max: 2 }),
      price: fc.integer({ min: 1, max: 900_00 }),
    }),
    {
      maxLength: 3,
    },
  ),
  policy: fc.constantFrom(undefined, 'dms'),
  hasFile: fc.boolean(),
  representative: fc.constantFrom('none', 'card', 'name'),
})
type Patient = typeof patient extends fc.Arbitrary<infer P> ? P : never

const today = dayIn('Europe/Moscow', Date.now())
const later = plusDays(today, 5)
let serial = 0

async function clinicOf(
  login: string,
  rights: readonly string[],
): Promise<{ clinic: Clinic; who: Caller; idOrganization: number }> {
  let idOrganization = 0
  const clinic = await testApp({
    async prepare(app) {
      await addPerson(app, login, [...new Set(rights)] as Permission[])
      idOrganization = (
        await app.engine.for(systemActor).create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })
      ).id
    },
  })
  const who = clinic.as(login)
  await who.token()
  return { clinic, who, idOrganization }
}

async function fill(clinic: Clinic, who: Caller, idOrganization: number, patients: readonly Patient[]) {
  const post = async (path: string, body: object) => good(await who.post(`/${path}`, body), 201)
  const worlds = worldOf(clinic, who)
  const [here, there] = [await billing(who, worlds, idOrganization), await billing(who, worlds, idOrganization)]
  for (const one of [here, there]) {
    good(await who.put(`/users/${one.idUser}`, { filials: [one.idFilial] }))
    await worlds.shift(one.idUser, one.idFilial, { localDate: later, localFrom: '00:00', localTo: '24:00' })
  }
  const room = await post('filials/rooms', { idFilial: here.idFilial, name: 'Кабинет 7' })
  const extra = await post('services', {
    nameService: `УЗИ, большое ${++serial}`,
    priceService: 333.33,
    code: `У-${serial}`,
  })
  await post('service-performers', { idService: extra.id, idUser: here.idUser, commission: 12.5 })
  const ids: number[] = []
  let minute = 0
  const clock = () => {
    minute += 30
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  }
  for (const [at, one] of patients.entries()) {
    const { id } = await post('customers', {
      surname: surnames[at],
      name: 'Имя',
      middleName: 'Отчество',
      phone: `+7912000${String(1000 + at)}`,
      ...one.card,
      ...(one.note !== undefined && { note: one.note }),
    })
    ids.push(id)
    for (const name of one.tags) await post('customers/tags', { idCustomer: id, name })
    if (one.policy)
      await post('customers/policies', {
        idCustomer: id,
        type: one.policy,
        number: `П-${1000 + at}`,
        company: 'Согаз',
        dateTo: '2030-12-31',
      })
    if (one.representative === 'card' && at > 0)
      await post('customers/relations', { idCustomer: id, relation: 'mother', idRelative: ids[at - 1], signs: 'yes' })
    if (one.representative === 'name')
      await post('customers/relations', {
        idCustomer: id,
        relation: 'proxy',
        fio: `Чужой Пётр ${at}`,
        document: 'Доверенность, №1',
      })
    if (one.where !== 'there') {
      // A mark in the branch, whatever the rest is.
      const [first] = one.visits.length > 0 ? [] : [{ end: 'cancelled' as const, qty: 1 }]
      for (const { end, qty } of [...one.visits, ...(first ? [first] : [])]) {
        const visit = good(await here.book(id, [{ idService: here.idService, qty }]), 201)
        if (end === 'completed') {
          good(await here.to(visit.id, 'arrived'))
          for (const line of await here.linesOf(visit.id)) good(await here.done(line.id), 204)
          good(await here.to(visit.id, 'inProgress'))
          good(await here.to(visit.id, 'completed'))
        } else if (end === 'cancelled') good(await here.to(visit.id, 'cancelled', { cancelReason: 'time' }))
        else if (end === 'noShow') good(await here.to(visit.id, 'noShow'))
      }
      if (one.isComing)
        good(
          await who.post('/appointments/book', {
            idCustomer: id,
            idFilial: here.idFilial,
            localDate: later,
            note: 'Взять снимки; "старые"',
            coupons: [
              {
                idUser: here.idUser,
                localStart: clock(),
                minutes: 30,
                idRoom: room.id,
                services: [{ idService: here.idService }, { idService: extra.id }],
              },
            ],
          }),
          201,
        )
      if (one.certificate !== undefined) {
        const number = `ПС-${++serial}`
        good(
          await who.post('/payments/take', {
            key: here.key(),
            idDesk: here.idDesk,
            idCustomer: id,
            parts: [{ method: 'cash', sum: 3000 }],
            sells: { number, dateTo: plusDays(today, 365) },
          }),
        )
        const debt = one.visits.reduce((all, { end, qty }) => all + (end === 'completed' ? qty * 1000 : 0), 0)
        const used = Math.min(one.certificate * 1000, debt)
        if (used > 0)
          good(
            await who.post('/payments/take', {
              key: here.key(),
              idDesk: here.idDesk,
              idCustomer: id,
              parts: [{ method: 'certificate', certificate: number, sum: used }],
            }),
          )
      }
      if (one.pays > 0) good(await here.take(id, one.pays))
      if (one.plan.length > 0) {
        const plan = await post('customer-plans', {
          name: 'План, первый',
          idCustomer: id,
          idDoctor: here.idUser,
          idFilial: here.idFilial,
          diagnosis: 'К02.1; кариес',
        })
        for (const stage of new Set(one.plan.map((item) => item.stage))) {
          const { id: idStage } = await post('customer-plans/stages', { idPlan: plan.id, name: stage, zone: '3.6' })
          for (const item of one.plan.filter((each) => each.stage === stage))
            await post('customer-plans/items', { idStage, idService: extra.id, qty: item.qty, price: item.price / 100 })
        }
      }
    }
    if (one.bonus > 0)
      await clinic.context.engine.for(systemActor).tx((records, tx) =>
        giveBonuses(records, tx, {
          idCustomer: id,
          kind: 'manual',
          sum: one.bonus * 100,
          dateFrom: today,
          dateTo: plusDays(today, 100),
          comment: 'Подарок',
        }),
      )
    if (one.hasFile) {
      const form = new FormData()
      form.append('file', new File([one.where === 'here' ? `Выписка ${surnames[at]}` : SECRET], `выписка ${at}.txt`))
      const file = good(await who.post('/customers/files', form), 201)
      await post('customers/attachments', { idCustomer: id, idFile: file.id })
    }
    if (one.where !== 'here') {
      const visit = good(await there.book(id, [{ idService: there.idService }]), 201)
      good(await who.put(`/appointments/${visit.id}`, { note: SECRET }))
    }
  }
  return { idFilial: here.idFilial, idUser: here.idUser, ids }
}

const cardFields = Object.entries(Customer.fields)
  .filter(
    ([field, f]) => isStored(f) && !['idSource', 'idPhoto', 'idStatus', 'dateCreate', 'dateChange'].includes(field),
  )
  .map(([field]) => field)
const cardsOf = async (who: Caller) => {
  const { items } = good(await who.get('/customers?limit=100&sort=id&expand=tags,policies,relations')) as {
    items: Record<string, any>[]
  }
  return new Map(
    items.map((card) => [
      card.surname as string,
      {
        ...Object.fromEntries(cardFields.map((field) => [field, card[field]])),
        tags: card.tags.map(({ name }: { name: string }) => name).toSorted(),
        policies: card.policies.map(({ type, number, company, dateTo }: Record<string, unknown>) => ({
          type,
          number,
          company,
          dateTo,
        })),
        relations: card.relations.map(({ relation, document, signs }: Record<string, unknown>) => ({
          relation,
          document,
          signs,
        })),
      },
    ]),
  )
}

it('moves a branch into an empty clinic whole, and nothing of the other branch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(patient, { minLength: 1, maxLength: 5 }), async (patients) => {
      const seller = await clinicOf('seller', permissionNames)
      const buyer = await clinicOf('buyer', [...MOVER, 'handOverFilial', 'editShifts'])
      try {
        const sold = await fill(seller.clinic, seller.who, seller.idOrganization, patients)
        const handed = await handing(seller.clinic, seller.who).take(sold.idFilial)
        const { figures } = handed.made
        const gone = patients.flatMap(({ where }, at) => (where === 'there' ? [] : [surnames[at] as string]))
        expect(handed.made.patients).toBe(gone.length)
        expect(handed.text).not.toContain(SECRET)
        // What names no branch stays where the patient was in both: accounts, certificates, bonuses, files of the card.
        for (const [at, id] of sold.ids.entries()) {
          if (patients[at]?.where !== 'both') continue
          for (const [key, content] of handed.tables)
            if (key === 'balances' || key === 'certificates')
              expect(content).not.toMatch(new RegExp(`[0-9a-f]{8}-${id};`))
          for (const name of ['записи/начислений бонусов.jsonl', 'записи/вложений клиента.jsonl'])
            expect(handed.main.get(name) ?? '').not.toMatch(new RegExp(`"idCustomer":${id}[,}]`))
        }

        const move = await openMove(buyer.clinic, buyer.who, 'ordinator')
        for (const [key, content] of handed.tables) {
          const file = await move.take(key, content, typeof content === 'string' ? `${key}.csv` : `${key}.zip`)
          expect([key, file], JSON.stringify(await move.seen(file.id), null, 1)).toMatchObject([
            key,
            { state: 'done', wrong: 0, doubted: 0, both: 0, message: null },
          ])
          if (key === 'users') await shiftsOf(buyer.clinic, buyer.who, move.idFilial)
        }
        const { sums } = await move.reconcile()
        expect(sums).toEqual(
          (figures?.sums ?? []).map(({ kind, people, sum }) => ({
            kind,
            people,
            peopleHere: people,
            file: sum,
            left: 0,
            here: sum,
            unread: 0,
          })),
        )

        const [theirs, ours] = [await cardsOf(buyer.who), await cardsOf(seller.who)]
        expect([...theirs.keys()].toSorted()).toEqual(gone.toSorted())
        for (const [surname, card] of theirs) {
          const own = ours.get(surname)
          expect(card).toEqual(own)
        }

        const again = await handing(buyer.clinic, buyer.who).take(move.idFilial)
        // Of patients who were in both branches the new clinic knows one branch alone: the rest is absent.
        expect(codeless(again.tables)).toEqual(codeless(handed.tables))
        expect(again.made.figures?.sums).toEqual(figures?.sums)
      } finally {
        await seller.clinic.close()
        await buyer.clinic.close()
      }
    }),
    { numRuns: runs(3, 25), endOnFailure: true },
  )
}, 600_000)

/** Shifts of the moved doctors, so that future visits are accepted without a doubt. */
async function shiftsOf(clinic: Clinic, buyer: Caller, idFilial: number): Promise<void> {
  const doctors = await clinic.db.query<{ id: number }>({
    text: `select id::int as id from users where login <> 'buyer'`,
  })
  await clinic.db.query({
    text: `update filials set "workingHours" = (select jsonb_object_agg(d, '{"start":"00:00","end":"24:00"}'::jsonb)
      from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) d) where id = $1`,
    values: [idFilial],
  })
  await clinic.db.query({
    text: `insert into filials_rooms ("idFilial", "name") values ($1, 'Кабинет 7')`,
    values: [idFilial],
  })
  for (const { id } of doctors)
    for (const localDate of [today, later])
      good(
        await buyer.post('/staff-events', {
          type: 'shift',
          idUser: id,
          idFilial,
          localDate,
          localFrom: '00:00',
          localTo: '24:00',
        }),
        201,
      )
}
