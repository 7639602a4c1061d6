import { AttachmentArea, AttachmentStreet } from '@ordinator/model/areas/attachment/area'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Update } from '@ordinator/model/entity'
import { ValidationError } from '../../platform/errors.ts'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

const streets = records(AttachmentStreet, {
  hooks: {
    beforeCreate: (_, value) => assertOrder(value),
    beforeUpdate: (_, value, before) => assertOrder({ ...before, ...value }),
  },
})

/** @throws ValidationError where the houses end before they begin */
function assertOrder({ houseFrom, houseTo }: Update<typeof AttachmentStreet>): void {
  if (typeof houseFrom === 'number' && typeof houseTo === 'number' && houseTo < houseFrom)
    throw new ValidationError([{ field: 'houseTo', message: 'Последний дом раньше первого' }])
}

/** Where people who are attached to the clinic live. Their applications are yet to come. */
export const attachment: Area = {
  name: 'attachment',
  title: 'Прикрепление',
  records: [records(AttachmentArea), streets],
  /** Two areas of the first branch. */
  async demo({ asSystem }) {
    const [filial] = await asSystem.rows(Filial, { sort: 'id', limit: '1' })
    if (!filial) return
    for (const [name, kind, street] of [
      ['Участок № 1', 'therapy', 'ул. Ленина'],
      ['Участок № 2', 'pediatrics', 'ул. Чапаева'],
    ] as const) {
      const { id: idArea } = await asSystem.create(AttachmentArea, { name, kind, idFilial: filial.id })
      await asSystem.create(AttachmentStreet, { idArea, street, houseFrom: 1, houseTo: 57, side: 'odd' })
      await asSystem.create(AttachmentStreet, { idArea, street, houseFrom: 2, houseTo: 64, side: 'even' })
    }
  },
}
