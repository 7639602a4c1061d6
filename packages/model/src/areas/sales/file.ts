import { commentFiles } from '../../comments.ts'
import { many } from '../../entity.ts'
import { ref } from '../../fields/ref.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { salesAccess } from './funnel.ts'

export const SalesFile = storedFiles('sales-management/files', {
  label: ['Файл сделки', 'файла сделки', 'файлов сделки'],
  many: { leads: many('sales-management/lead-files', 'idFile') },
  access: { view: salesAccess.view, delete: salesAccess.view },
  upload: { category: 'sales' },
})

export const LeadFile = attachment('sales-management/lead-files', {
  label: ['Вложение сделки', 'вложения сделки', 'вложений сделки'],
  of: {
    idLead: ref('sales-management/leads', {
      label: 'Сделка',
      as: 'lead',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idLead',
  files: 'sales-management/files',
  access: salesAccess,
})

export const LeadCommentFile = commentFiles('sales-management/lead-comment-files', {
  label: ['Файл комментария сделки', 'файла комментария сделки', 'файлов комментария сделки'],
  comments: 'sales-management/lead-comments',
  files: 'sales-management/files',
  access: { ...salesAccess, create: salesAccess.view, delete: salesAccess.view },
})
