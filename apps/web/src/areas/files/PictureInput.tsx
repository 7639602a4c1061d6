import { Input, Progress } from '@mantine/core'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { categoryOf } from '@ordinator/model/files'
import { IconPhoto, IconPhotoUp, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useFileDrop, useFileInput } from '#kit/FilePicker.tsx'
import { type FileRules, rulesText } from '#kit/fileRules.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { briefAt } from '#records/declarations.ts'
import type { InputProps } from '#records/fields/ui.ts'
import { rulesOf } from '#records/uploads.ts'
import classes from './PictureInput.module.css'

/** Picture of a reference to stored files: uploaded at once, saved with the form. */
export function PictureInput({ f, value, onChange, label, description, error, readOnly }: InputProps) {
  const files = isRef(f) ? (briefAt(f.to) as Entity | undefined) : undefined
  const rules = files ? picturesOf(rulesOf(files)) : {}
  const [share, setShare] = useState<number>()
  const [failed, setFailed] = useState<string>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const send = async ([file]: File[]) => {
    if (!file || !files) return
    stop.current?.abort()
    const own = new AbortController()
    stop.current = own
    setFailed(undefined)
    setShare(0)
    try {
      const { id } = await uploadFile(files, file, { signal: own.signal, forbidden: 'silent', onProgress: setShare })
      onChange(id)
    } catch (thrown) {
      if (!own.signal.aborted) setFailed(errorMessage(thrown))
    }
    if (stop.current === own) setShare(undefined)
  }
  const take = (chosen: File[]) => void send(chosen)
  const [input, choose] = useFileInput({ ...rules, onFiles: take })
  const drop = useFileDrop({ ...rules, multiple: false, disabled: readOnly, onFiles: take })
  const id = typeof value === 'number' ? value : undefined
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={failed ?? error}>
      <div className={classes.place} data-over={drop.over || undefined} {...drop.props}>
        {id === undefined ? (
          <IconPhoto size={28} stroke={1.25} aria-hidden />
        ) : (
          <img src={apiUrl('GET /files/:id/:size', { params: { id, size: 'medium' } })} alt={String(label)} />
        )}
        {share !== undefined && (
          <Progress className={classes.progress} value={share * 100} size={4} aria-label={`Загрузка: ${label}`} />
        )}
      </div>
      {!readOnly && (
        <HStack mt={4} wrap>
          {input}
          <ActionButton
            label={id === undefined ? 'Загрузить' : 'Заменить'}
            aria-label={`${id === undefined ? 'Загрузить' : 'Заменить'}: ${label}`}
            size="compact-sm"
            variant="default"
            icon={IconPhotoUp}
            loading={share !== undefined}
            onClick={choose}
          />
          {id !== undefined && (
            <ActionButton
              label="Убрать"
              aria-label={`Убрать: ${label}`}
              size="compact-sm"
              variant="subtle"
              color="gray"
              icon={IconX}
              onClick={() => onChange(null)}
            />
          )}
          {id === undefined && <Fine>{rulesText(rules)}</Fine>}
        </HStack>
      )}
    </Input.Wrapper>
  )
}

/** Rules limited to the pictures that the store accepts. */
const picturesOf = ({ extensions, ...rules }: FileRules): FileRules => ({
  ...rules,
  extensions: extensions?.filter((one) => categoryOf(one) === 'image'),
})
