import { Progress } from '@mantine/core'
import { EgiszEdition, MAX_EDITION_FILE } from '@ordinator/model/areas/egisz/setUp'
import type { Row } from '@ordinator/model/entity'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { base64Of } from '#areas/signatures/index.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

type Kind = 'template' | 'xsd' | 'schematron'
const kinds: Record<Kind, { title: string; help: string; accept: string; folder?: true }> = {
  template: {
    title: 'Шаблон',
    help: 'XML документа с местами {{…}}. Без него идёт готовый шаблон, если он выбран.',
    accept: '.xml',
  },
  xsd: {
    title: 'Схема (XSD)',
    help: 'Выберите папку схемы целиком: главный файл — CDA.xsd.',
    accept: '.xsd',
    folder: true,
  },
  schematron: { title: 'Схематрон', help: 'Один файл правил .sch.', accept: '.sch,.xml' },
}

/** Files of an edition, with upload. */
export function EditionFiles({ edition: { id } }: { edition: Row<typeof EgiszEdition> }) {
  const cache = useQueryClient()
  const [progress, setProgress] = useState<number>()
  const key = ['egisz', 'files', id]
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api('GET /egisz/editions/:id/files', { params: { id } }, { signal, quiet: true }),
  })
  const after = async () => {
    await cache.invalidateQueries({ queryKey: key })
    await invalidateRecords(cache, EgiszEdition.path)
  }
  const send = async (kind: Kind, files: readonly File[]) => {
    const fitting = files.filter(({ name }) =>
      kinds[kind].accept.split(',').some((end) => name.toLowerCase().endsWith(end)),
    )
    if (fitting.length === 0) return notify.error(`Здесь нужны файлы ${kinds[kind].accept}`)
    const tooLarge = fitting.find(({ size }) => size > MAX_EDITION_FILE)
    if (tooLarge) return notify.error(`Файл ${tooLarge.name} больше 1,4 МБ`)
    try {
      for (const [at, file] of fitting.entries()) {
        setProgress((at / fitting.length) * 100)
        // A folder is uploaded whole: its own name is cut off.
        const name = file.webkitRelativePath.split('/').slice(1).join('/') || file.name
        await api('PUT /egisz/editions/:id/files', {
          params: { id },
          body: { kind, name, content: await base64Of(file) },
        })
      }
      notify.success(`Загружено файлов: ${fitting.length}`)
    } catch (error) {
      notifyFailure(error as Error)
    } finally {
      setProgress(undefined)
      await after()
    }
  }
  const remove = async (kind: Kind) => {
    if (!(await confirm({ message: `Убрать: ${kinds[kind].title.toLowerCase()}?`, confirm: 'Убрать', danger: true })))
      return
    try {
      await api('DELETE /egisz/editions/:id/files', { params: { id }, body: { kind } })
      await after()
    } catch (error) {
      notifyFailure(error as Error)
    }
  }
  if (!data) return <LinesSkeleton lines={4} />
  return (
    <VStack gap={12}>
      {progress !== undefined && <Progress value={progress} animated />}
      {(Object.keys(kinds) as Kind[]).map((kind) => {
        const own = data.items.filter((one) => one.kind === kind)
        return (
          <Block key={kind} framed p={12}>
            <VStack gap={8}>
              <HStack wrap>
                <VStack gap={0} grow>
                  <strong>{kinds[kind].title}</strong>
                  <Fine>{kinds[kind].help}</Fine>
                </VStack>
                <Upload kind={kind} disabled={progress !== undefined} onFiles={(files) => void send(kind, files)} />
                {own.length > 0 && (
                  <ActionButton
                    label="Убрать"
                    icon={IconTrash}
                    size="xs"
                    variant="default"
                    onClick={() => void remove(kind)}
                  />
                )}
              </HStack>
              {own.length === 0 ? (
                <Muted>Файлов нет</Muted>
              ) : (
                <Fine>
                  {own
                    .slice(0, 6)
                    .map(({ name }) => name)
                    .join(', ')}
                  {own.length > 6 && ` и ещё ${own.length - 6}`}
                </Fine>
              )}
            </VStack>
          </Block>
        )
      })}
    </VStack>
  )
}

function Upload({ kind, disabled, onFiles }: { kind: Kind; disabled: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const { accept, folder, title } = kinds[kind]
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={title}
        accept={folder ? undefined : accept}
        multiple={folder}
        {...(folder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <ActionButton
        label={folder ? 'Выбрать папку' : 'Выбрать файл'}
        icon={IconUpload}
        size="xs"
        variant="default"
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
