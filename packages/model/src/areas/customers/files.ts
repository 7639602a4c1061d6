import { many } from '../../entity.ts'
import { ref } from '../../fields/ref.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { customerAccess } from './customer.ts'

export const CustomerFile = storedFiles('customers/files', {
  label: ['Файл клиента', 'файла клиента', 'файлов клиента'],
  many: { attachments: many('customers/attachments', 'idFile') },
  access: { view: customerAccess.view, delete: customerAccess.update },
  upload: { category: 'customers', access: 'editCustomers' },
})

/** A portrait, for cards and lists. */
export const CustomerPhoto = storedFiles('customers/photos', {
  label: ['Фотография клиента', 'фотографии клиента', 'фотографий клиента'],
  // Viewing it is recorded with the view of the card that shows it.
  many: {},
  access: { view: customerAccess.view, delete: customerAccess.update },
  upload: {
    category: 'customers',
    access: 'editCustomers',
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
  },
})

export const CustomerAttachment = attachment('customers/attachments', {
  label: ['Вложение клиента', 'вложения клиента', 'вложений клиента'],
  of: {
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idCustomer',
  files: 'customers/files',
  access: customerAccess,
  personal: 'idCustomer',
})
