import { Text } from '@mantine/core'
import { categoryOf } from '@ordinator/model/files'
import { formatFileSize } from '@ordinator/model/format'
import { MAX_FILE } from '@ordinator/model/storedFile'
import { IconTrash } from '@tabler/icons-react'
import { UploadTile } from '#areas/files/index.ts'
import { FileName } from '#kit/FileName.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { fileIcon } from '#kit/fileIcon.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, Tiles } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
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
      <HStack wrap>
        <Text span inherit mr={4} fw={500}>
          Документы
        </Text>
        <FilePicker multiple size="compact-sm" onFiles={send} maxSize={MAX_FILE}>
          Прикрепить
        </FilePicker>
      </HStack>
      {going.length > 0 && (
        <Tiles component="ul" tile={240}>
          {going.map((upload) => (
            <UploadTile key={upload.id} upload={upload} />
          ))}
        </Tiles>
      )}
      {documents.length > 0 && (
        <ul>
          {documents.map(({ idFile, name, size, extension, url }) => {
            const Icon = fileIcon(categoryOf(extension))
            return (
              <HStack key={idFile} component="li" mih={32}>
                <Icon size={18} stroke={1.5} aria-hidden />
                <a className={classes.documentName} href={url} target="_blank" rel="noopener">
                  <FileName name={name} />
                </a>
                <Fine flex="none">{formatFileSize(size)}</Fine>
                <IconButton
                  icon={IconTrash}
                  size={24}
                  label={`Убрать документ «${name}»`}
                  onClick={() => set((now) => now.filter((one) => one.idFile !== idFile))}
                />
              </HStack>
            )
          })}
        </ul>
      )}
    </div>
  )
}
