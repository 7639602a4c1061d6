import { Select } from '@mantine/core'
import { isOwnPicture, pictures } from '@ordinator/model/areas/examinations/form'
import { MAX_OWN_PICTURE } from '@ordinator/model/areas/examinations/template'
import { useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { FilePicker } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { addOwnPicture, dataAddress, ownPictureUrl } from '../../ownPicture.ts'
import classes from '../FormEditor.module.css'
import { optionsOf } from './props.ts'

interface PictureProps {
  picture: string | undefined
  readOnly: boolean
  onChange: (picture: string) => void
}

/** A built-in picture, or an own one. */
export function PictureSettings({ picture, readOnly, onChange }: PictureProps) {
  const [busy, setBusy] = useState(false)
  const isOwn = isOwnPicture(picture)
  const take = async ([file]: File[]) => {
    if (!file) return
    setBusy(true)
    try {
      onChange(await addOwnPicture(await dataAddress(file)))
    } catch (error) {
      notify.error(errorMessage(error), { title: `Рисунок «${file.name}» не загружен` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Select
        label="Рисунок"
        data={[...optionsOf(pictures), ...(isOwn ? [{ value: picture, label: 'Свой рисунок' }] : [])]}
        value={picture ?? null}
        allowDeselect={false}
        readOnly={readOnly}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
      {!readOnly && (
        <div className={classes.ownPicture}>
          {isOwn && <img src={ownPictureUrl(picture)} alt="Свой рисунок" />}
          <FilePicker
            extensions={['png', 'jpg', 'jpeg', 'svg']}
            maxSize={MAX_OWN_PICTURE}
            disabled={busy}
            size="compact-sm"
            onFiles={(files) => void take(files)}
          >
            {isOwn ? 'Заменить свой рисунок' : 'Загрузить свой рисунок'}
          </FilePicker>
        </div>
      )}
    </>
  )
}
