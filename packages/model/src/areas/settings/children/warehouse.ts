import { warehouseDefaults } from '../../warehouse/warehouse.ts'
import { flag } from '../checks.ts'
import { among, child, idsById, lines, setting, whole } from '../setting.ts'

export const costMethods = {
  average: 'По средней',
  fifo: 'По очереди поступления (ФИФО)',
  batch: 'По партии',
} as const

export const negativeStocks = {
  forbid: 'Запретить',
  warn: 'Предупредить и провести',
  allow: 'Разрешить',
} as const

/** «Склад»: how goods are counted and written off. */
export const warehouseSettings = child({
  page: 'warehouseSettings',
  waits: 'warehouse',
  beside: ['warehouses', 'services'],
  groups: {
    'Склады по умолчанию': {
      /** Ids of warehouses by ids of branches. */
      defaultWarehouses: setting<Record<string, number>>({
        label: 'Склад филиала',
        help: 'Куда приходит товар филиала и откуда его списывают, если в документе не выбрано иное',
        words: 'основной склад умолчание филиалы',
        check: idsById(),
        byDefault: {},
        input: {
          kind: 'recordOf',
          per: 'filials',
          to: 'warehouses',
          by: 'idFilial',
          filter: { active: 'true', kind: warehouseDefaults },
        },
        wide: true,
      }),
    },
    Учёт: {
      costMethod: setting<keyof typeof costMethods>({
        label: 'Себестоимость',
        words: 'фифо средняя партия метод списания цена',
        check: among(costMethods),
        byDefault: 'average',
        input: { kind: 'choice', labels: costMethods },
      }),
      negativeStock: setting<keyof typeof negativeStocks>({
        label: 'Списать больше, чем есть',
        words: 'отрицательный остаток минус',
        check: among(negativeStocks),
        byDefault: 'forbid',
        input: { kind: 'choice', labels: negativeStocks },
      }),
    },
    'Сроки годности': {
      fefoMargin: setting({
        label: 'Не выдавать за, дней до конца срока',
        help: 'Партии с близким концом срока списываются первыми, а за столько дней до него — уже нет',
        words: 'fefo запас срок годности просрочено',
        check: whole(0, 365),
        byDefault: 0,
      }),
      expiryNotice: setting({
        label: 'Предупреждать о сроке за, дней',
        help: '0 — не предупреждать',
        words: 'срок годности просрочено уведомление',
        check: whole(0, 365),
        byDefault: 30,
      }),
    },
    Списание: {
      autoWriteOff: setting({
        label: 'Списывать по нормам с оказанной услугой',
        help: 'Расходные материалы услуги уходят со склада филиала, когда она отмечена оказанной',
        words: 'автосписание нормы расход материалы',
        check: flag(),
        byDefault: false,
      }),
      writeOffReasons: setting<string[]>({
        label: 'Причины списания',
        help: 'По одной в строке',
        words: 'брак бой порча акт',
        check: lines(50, 100),
        byDefault: ['Истёк срок годности', 'Бой или порча', 'Недостача', 'Для нужд клиники'],
        input: { kind: 'lines' },
        wide: true,
      }),
    },
  },
})
