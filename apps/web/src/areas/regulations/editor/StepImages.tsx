import { Text, TextInput } from '@mantine/core'
import { MAX_FILE } from '@ordinator/model/storedFile'
import { IconArrowLeft, IconArrowRight, IconLink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { previewUrl, UploadTile } from '#areas/files/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FilePicker, useFileDrop } from '#kit/FilePicker.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, Tiles } from '#kit/Stacks.tsx'
import { imageExtensions } from '../images.ts'
import type { StepDraft } from './draft.ts'
import { ImageByUrl } from './ImageByUrl.tsx'
import classes from './StepFiles.module.css'
import { type StoredFile, useStepUploads } from './stepUploads.ts'
import type { DraftActs } from './useRegulationDraft.ts'

const MAX_CAPTION = 500
const rules = { maxSize: MAX_FILE, extensions: imageExtensions }

/** Pictures of a step: uploaded, dropped, or by URL; with captions. */
export function StepImages({ step: { key, images }, acts }: { step: StepDraft; acts: DraftActs }) {
  const [asking, setAsking] = useState(false)
  const set = (next: (now: StepDraft['images']) => StepDraft['images']) =>
    acts.changeStep(key, (now) => ({ images: next(now.images) }))
  const add = ({ id, url }: StoredFile) =>
    set((now) => (now.some(({ idFile }) => idFile === id) ? now : [...now, { idFile: id, url, description: null }]))
  const { going, send } = useStepUploads(add)
  const drop = useFileDrop({ onFiles: send, ...rules })
  const swap = (at: number, by: -1 | 1) =>
    set((now) => {
      const next = [...now]
      const [moved] = next.splice(at, 1)
      if (moved) next.splice(at + by, 0, moved)
      return next
    })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons and tiles that files may be dropped on
    <div
      role="group"
      aria-label="Картинки"
      className={classes.files}
      data-over={drop.over || undefined}
      {...drop.props}
    >
      <HStack wrap>
        <Text span inherit mr={4} fw={500}>
          Картинки
        </Text>
        <FilePicker multiple size="compact-sm" onFiles={send} {...rules}>
          Загрузить
        </FilePicker>
        <ActionButton
          label="По ссылке"
          size="compact-sm"
          variant="default"
          icon={IconLink}
          onClick={() => setAsking(true)}
        />
      </HStack>
      {going.length > 0 && (
        <Tiles component="ul" tile={240}>
          {going.map((upload) => (
            <UploadTile key={upload.id} upload={upload} />
          ))}
        </Tiles>
      )}
      {images.length > 0 && (
        <Tiles component="ul" tile={152}>
          {images.map((image, at) => (
            <li key={image.idFile} className={classes.image}>
              <img src={previewUrl(image, 'small')} alt={image.description ?? ''} loading="lazy" />
              <TextInput
                size="xs"
                aria-label={`Подпись картинки ${at + 1}`}
                placeholder="Подпись"
                maxLength={MAX_CAPTION}
                value={image.description ?? ''}
                onChange={(event) => {
                  const description = event.currentTarget.value
                  set((now) => now.map((one) => (one.idFile === image.idFile ? { ...one, description } : one)))
                }}
              />
              <span className={classes.imageActions}>
                <IconButton
                  icon={IconArrowLeft}
                  size={24}
                  label={`Картинка ${at + 1}: левее`}
                  disabled={at === 0}
                  onClick={() => swap(at, -1)}
                />
                <IconButton
                  icon={IconArrowRight}
                  size={24}
                  label={`Картинка ${at + 1}: правее`}
                  disabled={at === images.length - 1}
                  onClick={() => swap(at, 1)}
                />
                <IconButton
                  icon={IconTrash}
                  size={24}
                  label={`Убрать картинку ${at + 1}`}
                  onClick={() => set((now) => now.filter(({ idFile }) => idFile !== image.idFile))}
                />
              </span>
            </li>
          ))}
        </Tiles>
      )}
      {asking && <ImageByUrl onStored={add} onClose={() => setAsking(false)} />}
    </div>
  )
}
