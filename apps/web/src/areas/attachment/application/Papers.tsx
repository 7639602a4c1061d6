import { ApplicationFile, ApplicationPaper } from '@ordinator/model/areas/attachment/application'
import type { QueryClient } from '@tanstack/react-query'
import { Attachments } from '#areas/files/index.ts'
import { recordsWith } from '#base/client.ts'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { UploadTarget } from '#records/uploads.ts'
import type { ApplicationRow } from './state.ts'

const toApplication = (idApplication: number, cache: QueryClient): UploadTarget => ({
  key: `attachment:${idApplication}`,
  stored: ApplicationPaper,
  whereToLook: 'Откройте заявление, чтобы повторить.',
  async take({ id }) {
    await quiet.create(ApplicationFile, { idApplication, idFile: id })
    await invalidateRecords(cache, ApplicationFile.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })

export function Papers({ one }: { one: ApplicationRow }) {
  return (
    <>
      <Attachments
        links={ApplicationFile}
        of={{ idApplication: one.id }}
        target={(cache) => toApplication(one.id, cache)}
        mayEdit={useCan('create', ApplicationFile)}
        to="к заявлению"
        order={2}
      />
      {(one.question || one.answer) && (
        <section aria-label="Переписка">
          {one.question && <p>Спросили: {one.question}</p>}
          {one.answer && <p>Ответили: {one.answer}</p>}
        </section>
      )}
    </>
  )
}
