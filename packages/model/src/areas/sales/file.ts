import { entity, many } from '../../entity.ts'
import { ref } from '../../fields/ref.ts'
import { fileFields, MAX_FILE } from '../files/file.ts'
import { salesAccess } from './funnel.ts'

/** A file of the deals: seen by who sent it, and by all who see what it is attached to. */
export const SalesFile = entity('sales-management/files', {
  label: ['Файл сделки', 'файла сделки', 'файлов сделки'],
  fields: fileFields(),
  many: { leads: many('sales-management/lead-files', 'idFile') },
  access: { view: salesAccess.view, delete: salesAccess.view },
  title: 'name',
  sort: '-id',
  soft: true,
  upload: { category: 'sales', maxSize: MAX_FILE },
})

const file = () =>
  ref('sales-management/files', { label: 'Файл', as: 'file', required: true, fixed: true, onDelete: 'restrict' })

export const LeadFile = entity('sales-management/lead-files', {
  label: ['Вложение сделки', 'вложения сделки', 'вложений сделки'],
  fields: {
    idLead: ref('sales-management/leads', {
      label: 'Сделка',
      as: 'lead',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idFile: file(),
  },
  access: salesAccess,
  within: 'idLead',
  unique: [['idLead', 'idFile']],
  sort: 'id',
  soft: true,
})

export const LeadCommentFile = entity('sales-management/lead-comment-files', {
  label: ['Файл комментария сделки', 'файла комментария сделки', 'файлов комментария сделки'],
  fields: {
    idComment: ref('sales-management/lead-comments', {
      label: 'Комментарий',
      as: 'comment',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idFile: file(),
  },
  access: { ...salesAccess, create: salesAccess.view, delete: salesAccess.view },
  within: 'idComment',
  unique: [['idComment', 'idFile']],
  sort: 'id',
  soft: true,
})
