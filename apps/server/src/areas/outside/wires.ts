/**
 * How each kind of seller is sent what a channel offers. A part is sent whole on its own terms, and at once when a piece
 * of it has changed; the seller's answer to it only confirms receipt.
 */
import type { ChannelKind, keyedKinds } from '@ordinator/model/areas/outside/channel'
import type { Config } from '#platform/config.ts'
import type { Offered } from './offered.ts'

export interface Call {
  /** Below the address of the seller. */
  path: string
  body: object
}

export interface Part {
  /** In Russian, for the exchange journal. */
  title: string
  /** Minutes after which it is sent again though nothing has changed. */
  everyMinutes: number
  /** What of it can change by itself; only hashes of it are stored. */
  pieces(offered: Offered): Readonly<Record<string, unknown>>
  whole(offered: Offered): Call
  /** Calls for a few changed pieces; absent, or undefined: the whole part. */
  few?(offered: Offered, changed: readonly string[]): Call[] | undefined
}

export interface Wire {
  address(config: Config): string
  authorization(key: string): string
  parts: Readonly<Record<string, Part>>
}

const DAY = 24 * 60
/** Changed days that are sent one by one; more are sent as a whole. */
const MOST_DAYS = 20

const FREE = 'free '
const dayKey = (idUser: number, day: string): string => `${idUser} ${day}`
const daysOf = ({ times }: Offered) => Map.groupBy(times, ({ idUser, localDate }) => dayKey(idUser, localDate))

interface Cell {
  dt: string
  time_start: string
  time_end: string
  free: boolean
}
const cellOf = ({ localDate, localStart, localEnd, isFree }: Offered['times'][number]): Cell => ({
  ...{ dt: localDate, time_start: localStart, time_end: localEnd, free: isFree },
})
const cellsOf = ({ times }: Offered, idUser: number): Cell[] =>
  times.filter((time) => time.idUser === idUser).map(cellOf)

/**
 * МедФлекс, the company of ПроДокторов: what their open modules for МИС send. Taken times are sent too; a doctor without
 * times has no services there.
 */
const medflex: Wire = {
  address: ({ medflexUrl }) => medflexUrl,
  authorization: (key) => `Token ${key}`,
  parts: {
    schedule: {
      title: 'Расписание врачей',
      everyMinutes: DAY,
      pieces: (offered) => ({
        branch: offered.branch.name,
        doctors: offered.doctors.map(({ id, fio, speciality }) => [id, fio, speciality]),
        ...Object.fromEntries(
          [...daysOf(offered)].flatMap(([day, own]) => [
            [day, own.map(({ localStart, localEnd }) => [localStart, localEnd])],
            [`${FREE}${day}`, own.map(({ isFree }) => isFree)],
          ]),
        ),
      }),
      whole: (offered) => ({
        path: '/v2/doctors/send_schedule/',
        body: inBranch(
          offered,
          Object.fromEntries(
            offered.doctors.map(({ id, fio, speciality }) => [
              id,
              { efio: fio, ...(speciality && { espec: speciality }), cells: cellsOf(offered, id) },
            ]),
          ),
        ),
      }),
      few(offered, changed) {
        if (changed.length > MOST_DAYS || !changed.every((key) => key.startsWith(FREE))) return undefined
        const days = daysOf(offered)
        return changed.map((key) => {
          const [doctor = '', date = ''] = key.slice(FREE.length).split(' ')
          const cells = (days.get(dayKey(Number(doctor), date)) ?? []).map(cellOf)
          return {
            path: '/v2/occupied_doctor_schedule_slot/',
            body: {
              ...{ filial_id: String(offered.branch.id), doctor_id: doctor, date },
              cells: cells.map(({ dt: _, ...cell }) => cell),
            },
          }
        })
      },
    },
    services: {
      title: 'Услуги и цены',
      everyMinutes: DAY,
      pieces: ({ branch, services, doctors }) => ({ branch: branch.name, services, doctors }),
      whole: (offered) => ({
        path: '/v2/services/send_schedule/',
        body: inBranch(offered, {
          services: {
            basic: Object.fromEntries(
              offered.services.map(({ id, name, code, group, minutes, price }) => [
                id,
                {
                  ...{ name, category: group ?? 'Услуги', government_code: code, price, duration: minutes },
                  ...{ additional_services: [], intervals: [] },
                },
              ]),
            ),
            additional: {},
          },
          doctors: Object.fromEntries(
            offered.doctors.map(({ id, fio, services }) => [
              id,
              { efio: fio, services: services.map(String), intervals: cellsOf(offered, id) },
            ]),
          ),
          devices: {},
        }),
      }),
    },
  },
}

/** Their frame: the branch by its number with its name, and its data by the same number. */
const inBranch = ({ branch: { id, name } }: Offered, data: object) => ({
  schedule: { [id]: name, data: { [id]: data } },
})

/** «A slot each ten minutes at most», less the minute of a pass. */
const SLOTS_EVERY = 9

/**
 * НаПоправку RTA, as its own client for МИС sends it (napopravku/rta-api-service-client): slots at least every ten
 * minutes and after the bookings, services once a day before 19:00 of Moscow.
 */
const napopravku: Wire = {
  address: ({ napopravkuUrl }) => napopravkuUrl,
  authorization: (key) => `Bearer ${key}`,
  parts: {
    clinics: {
      title: 'Филиал',
      everyMinutes: DAY,
      pieces: ({ branch: { name, address } }) => ({ branch: [name, address] }),
      whole: ({ branch: { id, name, address } }) => ({
        path: '/clinics',
        body: { clinics: [{ mis_clinic_id: String(id), name, comment: address }] },
      }),
    },
    doctors: {
      title: 'Врачи',
      everyMinutes: DAY,
      pieces: ({ doctors }) => ({ doctors: doctors.map(({ id, fio, speciality }) => [id, fio, speciality]) }),
      whole: ({ branch, doctors }) => ({
        path: '/doctors',
        body: {
          doctors: doctors.map(({ id, fio, speciality }) => ({
            ...{ mis_doctor_id: String(id), name: fio, comment: speciality, mis_clinic_ids: [String(branch.id)] },
          })),
        },
      }),
    },
    services: {
      title: 'Услуги и цены',
      // Twice a day: one of them is before 19:00 of Moscow, whenever it began.
      everyMinutes: DAY / 2,
      pieces: ({ services }) => ({ services }),
      whole: ({ branch, services }) => ({
        path: '/clinics/services',
        body: {
          // A price is required there, in whole rubles.
          clinic_services: services.flatMap(({ id, name, code, price }) =>
            price === null
              ? []
              : {
                  ...{ mis_clinic_id: String(branch.id), mis_service_id: String(id), name },
                  ...{ price: Math.round(price), comment: code },
                },
          ),
        },
      }),
    },
    slots: {
      title: 'Свободное время',
      everyMinutes: SLOTS_EVERY,
      pieces: ({ days, times }) => ({ days, times }),
      whole: ({ branch, doctors, days, times }) => ({
        path: '/slots',
        body: {
          clinics: [
            {
              mis_clinic_id: String(branch.id),
              doctors: doctors.map(({ id }) => ({
                mis_doctor_id: String(id),
                // A day that has lost its times is sent empty.
                dates: days.map((date) => ({
                  date,
                  slots: times
                    .filter(({ idUser, localDate, isFree }) => isFree && idUser === id && localDate === date)
                    .map(({ localStart: from, localEnd: to }) => ({ from, to, duration: null })),
                })),
              })),
            },
          ],
        },
      }),
    },
  },
}

/** Kinds of which the clinic pushes; Яндекс reads a feed instead. */
export const wires = { medflex, napopravku } as const satisfies Partial<Record<(typeof keyedKinds)[number], Wire>>
type PushedKind = keyof typeof wires
export const isPushed = (kind: ChannelKind): kind is PushedKind => kind in wires
