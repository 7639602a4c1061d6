import { ActionIcon } from '@mantine/core'
import { categoryOf } from '@ordinator/model/files'
import { formatFileSize } from '@ordinator/model/format'
import { MAX_FILE } from '@ordinator/model/storedFile'
import { IconTrash } from '@tabler/icons-react'
import { FileName } from '../../../kit/FileName.tsx'
import { FilePicker } from '../../../kit/FilePicker.tsx'
import { fileIcon } from '../../../kit/fileIcon.ts'
import { UploadTile } from '../../files/index.ts'
import type { StepDraft } from './draft.ts'
import classes from './StepFiles.module.css'
import { useStepUploads } from './stepUploads.ts'
import type { DraftActs } from './useRegulationDraft.ts'

/** Documents of a step. */
export function StepDocuments({ step: { key, documents }, acts }: { step: StepDraft; acts: DraftActs }) {
  const set = (next: (now: StepDraft['documents']) => StepDraft['documents']) =>
    acts.changeStep(key, (now) => ({ documents: next(now.documents) }))
  const { going, send } = useStepUploads(({ id, url, name, size, extension }) =>
    set((now) => [...now, { idFile: id, url, name, size, extension }]),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button and a list under one name
    <div role="group" aria-label="Документы" className={classes.files}>
      <div className={classes.head}>
        <span className={classes.label}>Документы</span>
        <FilePicker multiple size="compact-sm" onFiles={send} maxSize={MAX_FILE}>
          Прикрепить
        </FilePicker>
      </div>
      {going.length > 0 && (
        <ul className={classes.going}>
          {going.map((upload) => (
            <UploadTile key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      {documents.length > 0 && (
        <ul className={classes.documents}>
          {documents.map(({ idFile, name, size, extension, url }) => {
            const Icon = fileIcon(categoryOf(extension))
            return (
              <li key={idFile} className={classes.document}>
                <Icon size={18} stroke={1.5} aria-hidden />
                <a className={classes.documentName} href={url} target="_blank" rel="noopener">
                  <FileName name={name} />
                </a>
                <span className={`${classes.dim} tabular`}>{formatFileSize(size)}</span>
                <ActionIcon
                  size={24}
                  variant="subtle"
                  color="gray"
                  aria-label={`Убрать документ «${name}»`}
                  onClick={() => set((now) => now.filter((one) => one.idFile !== idFile))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
