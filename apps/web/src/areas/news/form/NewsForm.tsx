import { Button, Switch } from '@mantine/core'
import { News } from '@ordinator/model/areas/news/news'
import { IconTrash } from '@tabler/icons-react'
import { useCan } from '../../../records/Can.tsx'
import type { InputProps } from '../../../records/fields/ui.ts'
import { RecordField } from '../../../records/form/RecordField.tsx'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { useRemove } from '../../../records/writes.ts'
import type { NewsRow } from '../newsRow.ts'
import { ImageTiles } from './ImageTiles.tsx'
import classes from './NewsForm.module.css'
import { useImages } from './useImages.ts'

interface Props {
  /** Absent: a new one is written. */
  news?: NewsRow
  onSaved: (id: number) => void
  onCancel: () => void
  /** It was deleted: there is nothing to stay at. */
  onRemoved: () => void
}

/** The form of a news item (spec §2): its state, pictures, title and text, saved at once. */
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
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => {
              onRemoved()
              remove.mutate(news.id)
            }}
          >
            Удалить
          </Button>
        )
      }
    >
      <div className={classes.state}>
        <RecordField name="active" input={Toggle} />
        <RecordField name="isPinned" input={Toggle} />
      </div>
      <RecordField name="title" autoFocus={!news} />
      <div className={classes.pair}>
        <RecordField name="source" />
        <RecordField name="dateCreate" />
      </div>
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
