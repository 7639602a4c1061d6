import { AttachmentArea, AttachmentStreet } from '@ordinator/model/areas/attachment/area'
import type { Update } from '@ordinator/model/entity'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { applicationFiles, applicationPapers, applications, attachments } from './applications.ts'
import { demo } from './demo.ts'
import { notice } from './notify.ts'
import { figures, reasons, state } from './state.ts'
import { answer, approve, ask, attach, card, check, refuse, send, withdraw } from './steps.ts'
import { tfomsAdapter } from './tfoms.ts'

export { attachmentForm, type FormShown, takeApplication } from './form.ts'

const streets = records(AttachmentStreet, {
  hooks: {
    beforeCreate: (_, value) => assertOrder(value),
    beforeUpdate: (_, value, before) => assertOrder({ ...before, ...value }),
  },
})

/** @throws ValidationError if the house range is reversed */
function assertOrder({ houseFrom, houseTo }: Update<typeof AttachmentStreet>): void {
  if (typeof houseFrom === 'number' && typeof houseTo === 'number' && houseTo < houseFrom)
    throw new ValidationError([{ field: 'houseTo', message: 'Последний дом раньше первого' }])
}

/** Attachment of patients under ОМС: applications, areas, the exchange with the fund. */
export const attachment: Area = {
  name: 'attachment',
  title: 'Прикрепление',
  records: [records(AttachmentArea), streets, applications, applicationPapers, applicationFiles, attachments],
  operations: [figures, reasons, state, check, ask, answer, approve, send, attach, refuse, withdraw, card],
  start(app) {
    app.outbox.register(tfomsAdapter(app))
    app.jobs.register<{ idApplication: number; kind: 'taken'; version: number }>('attachment.notice', {
      handler: (data) => notice(app, data),
    })
  },
  demo,
}
