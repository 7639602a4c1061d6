import { entity, many } from '../../entity.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { list } from '../../list.ts'
import { catalogueAccess, ofService } from '../catalogue/service.ts'
import { filialAccess } from '../filials/filial.ts'

/** A kind of equipment, such as an ultrasound scanner or a massage couch. Pieces of one kind are interchangeable. */
export const EquipmentKind = list('equipment-kinds', ['Вид оборудования', 'вида оборудования', 'видов оборудования'], {
  gender: 'm',
  registry: {
    columns: ['name', 'note'],
    empty: {
      title: 'Видов оборудования пока нет',
      text: 'Аппарат УЗИ, кушетка для массажа: то, что занимают записи. Сколько его, указывают в филиале, для каких услуг — у услуги.',
    },
  },
  name: { unique: true },
  extra: { note: text({ label: 'Примечание', max: 500, search: true }) },
  many: { places: many('filials/equipment', 'idKind') },
  access: filialAccess,
})

const ofKind = () =>
  ref('equipment-kinds', {
    label: 'Оборудование',
    as: 'kind',
    required: true,
    fixed: true,
    onDelete: 'cascade',
    whenDeleted: 'asks',
  })

/** The number of pieces of a kind in a branch, which limits the simultaneous visits that need it. */
export const Equipment = entity('filials/equipment', {
  label: ['Оборудование', 'оборудования', 'оборудований'],
  gender: 'n',
  registry: {
    empty: {
      title: 'Оборудования нет',
      text: 'Оборудования пока нет. Услуги, которым оно нужно, в этом филиале не записать',
    },
  },
  fields: {
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      required: true,
      fixed: true,
      onDelete: 'cascade',
      whenDeleted: 'asks',
    }),
    idKind: ofKind(),
    capacity: integer({ label: 'Штук', help: 'Исправных, в работе', min: 0, max: 100, default: 1 }),
    cleaning: integer({ label: 'Подготовка после приёма, мин', min: 0, max: 480, default: 0 }),
    note: text({ label: 'Примечание', help: 'Инвентарные номера, где стоит', max: 500 }),
  },
  access: filialAccess,
  within: 'idFilial',
  unique: [['idFilial', 'idKind']],
  sort: 'id',
  soft: true,
})

/** A service occupies a piece of this kind for the whole visit. */
export const ServiceEquipment = entity('service-equipment', {
  label: ['Нужное оборудование', 'нужного оборудования', 'нужного оборудования'],
  gender: 'n',
  fields: {
    idService: ofService(),
    idKind: ofKind(),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idKind']],
  sort: 'id',
  soft: true,
})
