import { Switch } from '@mantine/core'
import { News } from '@ordinator/model/areas/news/news'
import { IconTrash } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, Tiles } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { useRemove } from '#records/writes.ts'
import type { NewsRow } from '../newsRow.ts'
import { ImageTiles } from './ImageTiles.tsx'
import { useImages } from './useImages.ts'

interface Props {
  /** Absent: a new item. */
  news?: NewsRow
  onSaved: (id: number) => void
  onCancel: () => void
  /** Called after deletion. */
  onRemoved: () => void
}

/** Form of a news item (spec §2): state, pictures, title and text, saved together. */
export function NewsForm({ news, onSaved, onCancel, onRemoved }: Props) {
  const images = useImages(news?.id, news?.images ?? [])
  const mayRemove = useCan('delete', News, news)
  const remove = useRemove(News, { message: 'Новость удалена' })
  return (
    <RecordForm
      entity={News}
      record={news}
      parts={images.parts}
      onSaved={({ id }) => onSaved(id)}
      onCancel={onCancel}
      foot={
        news &&
        mayRemove && (
          <ActionButton
            label="Удалить"
            variant="subtle"
            color="red"
            icon={IconTrash}
            onClick={() => {
              onRemoved()
              remove.mutate(news.id)
            }}
          />
        )
      }
    >
      <HStack gap="8px 24px" align="stretch" wrap>
        <RecordField name="active" input={Toggle} />
        <RecordField name="isPinned" input={Toggle} />
        <RecordField name="isOnSite" input={Toggle} />
      </HStack>
      <RecordField name="title" autoFocus={!news} />
      <Tiles tile={200} fit gap={16}>
        <RecordField name="source" />
        <RecordField name="dateCreate" />
      </Tiles>
      <ImageTiles {...images} />
      <RecordField name="text" />
    </RecordForm>
  )
}

function Toggle({ name, label, value, onChange, onBlur, readOnly }: InputProps) {
  return (
    <Switch
      name={name}
      label={label}
      checked={value === true}
      disabled={readOnly}
      onBlur={onBlur}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
