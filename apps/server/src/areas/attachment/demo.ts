/** Areas of the first branch, attached people, and applications in every state. */
import { Attachment, AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { AttachmentArea, AttachmentStreet } from '@ordinator/model/areas/attachment/area'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { schemes } from '@ordinator/model/identifiers'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { termOf } from './applications.ts'

const pastHooks = 'The demo writes what is right already'

const areas = [
  {
    name: 'Участок № 1',
    kind: 'therapy',
    speciality: 'терапевт',
    streets: [
      ['ул. Ленина', 1, 57, 'odd'],
      ['ул. Молодогвардейская', 1, 120, 'all'],
    ],
  },
  {
    name: 'Участок № 2',
    kind: 'therapy',
    speciality: 'терапевт',
    streets: [
      ['ул. Ленина', 2, 64, 'even'],
      ['ул. Галактионовская', null, null, 'all'],
    ],
  },
  {
    name: 'Участок № 3',
    kind: 'pediatrics',
    speciality: 'педиатр',
    streets: [
      ['ул. Ленина', null, null, 'all'],
      ['ул. Чапаева', 1, 90, 'all'],
    ],
  },
  {
    name: 'Участок семейного врача',
    kind: 'family',
    speciality: 'терапевт',
    norm: 40,
    streets: [['Московское шоссе', 1, 99, 'odd']],
  },
] as const

export async function demo({ asSystem }: Records, _app: AppContext, tx: Tx): Promise<void> {
  const [filial] = await asSystem.rows(Filial, { sort: 'id', limit: 1 })
  if (!filial) return
  const ids: number[] = []
  for (const { streets, speciality, ...area } of areas) {
    const doctor = await tx.one<{
      id: number
    }>(sql`select u."id"::int as id from users u join specialities s on s."id" = u."idSpeciality"
      where not u."deleted" and lower(s."name") like ${`%${speciality}%`} order by u."id" offset ${ids.length % 2} limit 1`)
    const { id } = await asSystem.create(AttachmentArea, { ...area, idFilial: filial.id, idUser: doctor?.id ?? null })
    ids.push(id)
    for (const [street, houseFrom, houseTo, side] of streets)
      await asSystem.create(AttachmentStreet, { idArea: id, street, houseFrom, houseTo, side })
  }
  const [first, second, third, family] = ids
  await asSystem.createFrom(
    Attachment,
    sql`(select c."id", row_number() over (order by c."id") as n, extract(year from age(c."birthday")) < 18 as child
      from customers c where not c."deleted" and c."birthday" is not null and c."secretLevel" = 'none' order by c."id" limit 240) c
      join attachment_areas a on a."id" = case when c.child then ${third}::bigint when c.n % 6 = 0 then ${family}::bigint
        when c.n % 2 = 0 then ${first}::bigint else ${second}::bigint end`,
    {
      idCustomer: raw('c."id"'),
      idArea: raw('a."id"'),
      idDoctor: raw('a."idUser"'),
      careType: raw(`case when c.child then 'pediatrics' else 'therapy' end`),
      basis: raw(`(array['registration', 'residence', 'choice'])[1 + c.n % 3]`),
      dateFrom: raw(`current_date - (200 + (c.n * 37 % 900))::int`),
    },
    { pastHooks },
  )
  const people = [
    ['Кузнецова', 'Анна', 'Петровна', 'female', '14.03.1986', 'ул. Ленина', '12', 'new', 'site', 3],
    ['Смирнов', 'Олег', 'Игоревич', 'male', '02.11.1979', 'ул. Ленина', '57', 'new', 'gosuslugi', 26],
    ['Фёдорова', 'Мария', 'Сергеевна', 'female', '21.07.2018', 'ул. Чапаева', '14', 'check', 'site', 30],
    ['Алексеев', 'Павел', null, 'male', '30.05.1964', 'ул. Садовая', '3', 'check', 'desk', 50],
    ['Тихонова', 'Вера', 'Львовна', 'female', '11.12.1991', 'Московское шоссе', '15', 'needInfo', 'site', 74],
    ['Громов', 'Денис', 'Юрьевич', 'male', '08.08.1988', 'ул. Галактионовская', '40', 'approved', 'gosuslugi', 98],
    ['Белова', 'Инна', 'Романовна', 'female', '17.01.1975', 'ул. Молодогвардейская', '18', 'sent', 'site', 120],
    ['Орлов', 'Степан', 'Ильич', 'male', '25.09.1950', 'ул. Ленина', '2', 'refused', 'desk', 190],
    ['Зайцева', 'Юлия', 'Олеговна', 'female', '06.04.1999', 'ул. Ленина', '21', 'withdrawn', 'site', 240],
  ] as const
  for (const [
    at,
    [surname, name, middleName, gender, birthday, street, house, status, source, hours],
  ] of people.entries()) {
    const submittedAt = new Date(Date.now() - hours * 3_600_000).toISOString()
    const later = new Date(Date.parse(submittedAt) + 20 * 3_600_000).toISOString()
    const isChild = birthday.endsWith('2018')
    const one = await asSystem.create(AttachmentApplication, {
      ...{ surname, name, middleName, gender, birthday, street, house, source, idFilial: filial.id, city: 'Самара' },
      ...{ registration: `г. Самара, ${street}, ${house}`, citizenship: 'Россия', phone: `+7927555${1000 + at}` },
      ...{
        snils: schemes.snils.sample(4000 + at),
        enp: enpOf(birthday, gender, at),
        documentType: isChild ? 'birthCertificate' : 'passport',
      },
      documentNumber: isChild ? 'II-ЕР 451208' : `3612 45120${at}`,
      ...(isChild && { representative: 'Фёдорова Ольга Андреевна, мать', careType: 'pediatrics' as const }),
      basis: at % 3 === 1 ? 'choice' : 'residence',
      currentMo: at % 2 ? 'Городская поликлиника № 6' : null,
    })
    await asSystem.update(AttachmentApplication, one.id, {
      status,
      submittedAt,
      ...(await termOf(tx, filial.id, submittedAt)),
      ...(status === 'needInfo' && { question: 'Пришлите фото полиса: номер не читается' }),
      ...(status === 'refused' && { decisionReason: 'Вне территории обслуживания', dateDecided: later }),
      ...(status === 'withdrawn' && { decisionReason: 'Передумал', dateDecided: later }),
      ...(['approved', 'sent'].includes(status) && {
        attachedFrom: plusDays(submittedAt.slice(0, 10), 3),
        dateDecided: later,
        idArea: at % 2 ? first : second,
      }),
    })
  }
}

/** A policy number that encodes this birthday and sex (`enpPerson` of the model decodes it). */
function enpOf(birthday: string, gender: 'male' | 'female', at: number): string {
  const [day, month, year] = birthday.split('.').map(Number) as [number, number, number]
  const digits = [
    String(month + (year <= 1950 ? 20 : year <= 2000 ? 40 : 0)).padStart(2, '0'),
    [...String(year)].reverse().join(''),
    String(day + (gender === 'male' ? 50 : 0)).padStart(2, '0'),
  ].join('')
  const body = `63${[...digits].map((digit) => 9 - Number(digit)).join('')}${String(48_100 + at)}`
  const last = [...'0123456789'].find((digit) => schemes.enp.read(body + digit).ok)
  return body + last
}
