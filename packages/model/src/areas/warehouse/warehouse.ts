import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { stockView } from './access.ts'

export const warehouseKinds = {
  main: 'Основной',
  procedure: 'Процедурный',
  room: 'Кабинет',
  quarantine: 'Карантин',
} as const

/** Warehouses that a branch may use by default: nothing is issued from the quarantine. */
export const warehouseDefaults = [
  'main',
  'procedure',
  'room',
] as const satisfies readonly (keyof typeof warehouseKinds)[]

/** A storage place of a branch. */
export const Warehouse = entity('warehouses', {
  branchBy: 'common',
  label: ['Склад', 'склада', 'складов'],
  recalled: true,
  gender: 'm',
  registry: {
    columns: ['name', 'idFilial', 'kind', 'idUser', 'active'],
    form: ['name', 'idFilial', 'kind', 'idUser', 'keepers', 'mdlpPlace', 'active'],
    empty: {
      title: 'Складов пока нет',
      text: 'Заведите хотя бы один в каждом филиале, где есть товары и расходные материалы.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'keeps' }),
    kind: choice(warehouseKinds, { label: 'Вид', default: 'main', required: true }),
    idUser: ref('users', { label: 'Ответственный', as: 'user', onDelete: 'set null' }),
    keepers: refs('users', {
      label: 'Кто работает со складом',
      help: 'Остатки и документы видят они, ответственный и те, кому открыты все склады. Никого нет — склад открыт всем, кому открыт раздел',
      whenDeleted: 'asks',
    }),
    mdlpPlace: identifier('mdlpPlace', { label: 'Место деятельности МДЛП', help: 'Пусто — как у филиала' }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed', clock: 'filial.timeZone' }),
  },
  instead: 'Сначала переместите остатки на другой склад',
  access: {
    view: ['mainSettings', 'editServices', ...stockView],
    create: 'mainSettings',
    update: 'mainSettings',
    delete: 'mainSettings',
  },
  unique: [['idFilial', 'name']],
  title: 'name',
  brief: ['name', 'kind'],
  sort: 'name,id',
  soft: true,
})
