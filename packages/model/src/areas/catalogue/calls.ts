import { z } from 'zod'
import { call, day, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { uploadCall } from '../files/calls.ts'
import { ServiceFile } from './image.ts'
import { changeUnits, Price, PriceChange, priceSources, roundings, UNDO_HOURS } from './price.ts'
import { Service } from './service.ts'

/** Maximum services of one price change. */
export const MAX_CHANGED = 5_000

const MAX_RUBLES = 10_000_000

const changeBody = z.strictObject({
  /** The services: by ids, of a group with its subgroups, or the whole catalogue. */
  ids: z.array(id).min(1).max(MAX_CHANGED).optional(),
  idGroup: id.optional(),
  /** Absent: the services' own prices. */
  idPriceList: id.optional(),
  /** First day of validity, for a price list. */
  dateFrom: day.optional(),
  unit: oneOf(changeUnits),
  amount: z
    .number({ error: 'Нужно число' })
    .min(-MAX_RUBLES, `Не меньше −${MAX_RUBLES}`)
    .max(MAX_RUBLES, `Не больше ${MAX_RUBLES}`)
    .refine((value) => value !== 0, 'Укажите, на сколько изменить')
    .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой'),
  rounding: z
    .number()
    .refine((value) => (roundings as readonly number[]).includes(value), 'Округлять можно до 1, 5, 10, 50 или 100 ₽')
    .default(0.01),
})

const changed = z.object({
  idService: id,
  name: z.string(),
  code: z.string().nullable(),
  before: z.number(),
  after: z.number(),
})

const double = z.object({
  id,
  name: z.string(),
  code: z.string().nullable(),
  price: z.number().nullable(),
  performers: z.int(),
  visits: z.int(),
})

export const catalogueCalls = {
  publicNames: call({
    method: 'GET',
    path: '/services/public-names',
    summary: 'Услуги, которые видят пациенты: официальное название, своё и то, что предлагает словарь',
    access: 'editServices',
    answer: z.object({
      items: z.array(
        z.object({
          id,
          name: z.string(),
          group: z.string().nullable(),
          publicName: z.string().nullable(),
          offered: z.string().nullable().describe('Из словаря; null — официальное уже простое'),
        }),
      ),
    }),
  }),
  fillPublicNames: call({
    method: 'POST',
    path: '/services/public-names',
    summary: 'Заполнить названия для пациентов из словаря, где их ещё нет',
    access: 'editServices',
    answer: z.object({ filled: z.int() }),
  }),
  doubles: call({
    method: 'GET',
    path: '/services/doubles',
    summary:
      'Услуги, заведённые дважды: названия совпадают без регистра, ё, знаков и кода 804н; и недавно объединённые',
    access: 'editServices',
    answer: z.object({
      groups: z.array(z.object({ services: z.array(double) })),
      joined: z.array(z.object({ id, kept: z.string(), merged: z.string(), at: z.string() })),
    }),
  }),
  join: call({
    method: 'POST',
    path: '/services/:id/join',
    summary: 'Объединить услуги: цены, исполнители, записи и ссылки второй переходят к первой, вторая удаляется',
    access: 'editServices',
    params: idParams,
    body: z.strictObject({ idMerged: id }),
    answer: z.object({ id }),
  }),
  part: call({
    method: 'POST',
    path: '/services/joins/:id/undo',
    summary: 'Разъединить услуги: вторая возвращается со своими ценами, исполнителями и записями',
    access: 'editServices',
    params: idParams,
    answer: rowOf(Service),
  }),
  uploadFile: uploadCall(ServiceFile),
  counts: call({
    method: 'GET',
    path: '/services/counts',
    summary: 'Сколько услуг в каждой группе (idGroup пуст — без группы), вложенные группы не в счёт',
    access: Service.access.view ?? [],
    answer: z.array(z.object({ idGroup: z.int().nullable(), count: z.int() })),
  }),
  priceOf: call({
    method: 'GET',
    path: '/services/:id/price-of-day',
    summary:
      'Сколько стоит услуга в этот день (date, иначе сегодня) до скидок и чья это цена: программа ДМС, организация, филиал, основной прайс-лист, сама услуга',
    access: Service.access.view ?? [],
    params: idParams,
    query: z.strictObject({
      date: day.optional(),
      idFilial: idText.optional(),
      idOrganization: idText.optional(),
      idProgramme: idText.optional(),
    }),
    answer: z.object({
      price: z.number().nullable(),
      source: oneOf(priceSources),
      idPriceList: z.int().nullable(),
    }),
  }),
  newPrice: call({
    method: 'POST',
    path: '/services/:id/new-price',
    summary: 'Новая цена с какого-то дня: прежняя действует по день перед ним, следующая за ней остаётся',
    access: 'editServices',
    status: 201,
    params: idParams,
    body: z.strictObject({
      idPriceList: id,
      price: z.number(),
      cost: z.number().nullable().optional(),
      dateFrom: day,
      /** Replaces a price with the same first day; without it the call asks (409 `asks`). */
      replace: z.boolean().optional(),
    }),
    answer: rowOf(Price),
  }),
  previewChange: call({
    method: 'POST',
    path: '/price-changes/preview',
    summary: 'Какими станут цены: все строки; ничего не меняется',
    access: 'editServices',
    body: changeBody,
    answer: z.object({
      rows: z.array(changed),
      /** Selected services without a price, which stay unchanged. */
      without: z.int(),
      same: z.int(),
      /** Token of the preview: the change is refused if the data has changed since. */
      seen: z.string(),
    }),
  }),
  change: call({
    method: 'POST',
    path: '/price-changes/apply',
    summary: `Изменить цены сразу у многих услуг; отменить можно в течение ${UNDO_HOURS} часов`,
    access: 'editServices',
    status: 201,
    body: changeBody.extend({ seen: z.string().max(64).optional() }),
    answer: rowOf(PriceChange),
  }),
  undoChange: call({
    method: 'POST',
    path: '/price-changes/:id/undo',
    summary: 'Вернуть прежние цены; те, что с тех пор изменили, остаются',
    access: 'editServices',
    params: idParams,
    answer: z.object({ restored: z.int(), kept: z.int() }),
  }),
}

export type PriceChangeBody = z.input<typeof changeBody>
export type PricePreview = z.output<(typeof catalogueCalls)['previewChange']['answer']>
