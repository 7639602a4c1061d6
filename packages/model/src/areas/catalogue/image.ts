import { entity, many } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { position } from '../../fields/position.ts'
import { text } from '../../fields/text.ts'
import { fileRef, storedFiles } from '../../storedFile.ts'
import { catalogueAccess, ofService } from './service.ts'

/** An uploaded picture; its smaller copies are its previews. */
export const ServiceFile = storedFiles('service-files', {
  label: ['Файл услуги', 'файла услуги', 'файлов услуг'],
  many: { images: many('service-images', 'idFile') },
  access: { view: catalogueAccess.view, delete: 'editServices' },
  upload: {
    category: 'services',
    access: 'editServices',
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
  },
})

/** A picture of a service with its position. Its sizes are those of its file: `/files/{id}/{size}`. */
export const ServiceImage = entity('service-images', {
  label: ['Изображение услуги', 'изображения услуги', 'изображений услуги'],
  fields: {
    idService: ofService(),
    idFile: fileRef('service-files'),
    order: position({ group: ['idService'], start: 'last' }),
    /** URL of the picture. */
    image: text({ label: 'Адрес', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлено', auto: 'created' }),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idFile']],
  sort: 'order',
  soft: true,
})
