import { Badge } from '@mantine/core'
import { MoveProfile } from '@ordinator/model/areas/moving/move'
import { movePrograms, moveTables } from '@ordinator/model/areas/moving/tables'
import type { Asked } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import { inSentence } from '@ordinator/model/format'
import { IconDownload, IconFileUpload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { SendFile } from '#records/SendFile.tsx'
import { useRemove } from '#records/writes.ts'
import sharedClasses from './Moving.module.css'
import { saveProfile, useProfiles, useRefresh } from './movingCalls.ts'
import classes from './ProfilesTab.module.css'

const MAX_PROFILE = 200_000

/** Profiles of columns: those that come with the product, and the clinic's own. */
export function ProfilesTab() {
  const profiles = useProfiles()
  const refresh = useRefresh()
  const remove = useRemove(MoveProfile)
  const [isTaking, setTaking] = useState(false)
  if (profiles.isError && !profiles.data)
    return <ErrorState title="Профили не прочитаны" error={profiles.error} onRetry={() => void profiles.refetch()} />
  return (
    <VStack gap={16} p="16px var(--ord-page) 32px" maw={820}>
      <HStack justify="space-between" wrap gap={12}>
        <Muted>
          Как колонки прежней программы зовутся у нас. Сохраняется из файла, переносится в другую клинику файлом.
        </Muted>
        <ActionButton label="Взять из файла" icon={IconFileUpload} variant="default" onClick={() => setTaking(true)} />
      </HStack>
      {profiles.data ? (
        <Block component="ul" framed className={sharedClasses.steps} aria-label="Профили колонок">
          {profiles.data.items.map(({ key, name, program, source, tables, own }) => (
            <li key={key} className={classes.profile}>
              <div>
                <HStack gap={8} wrap>
                  <h3 className={sharedClasses.title}>{name}</h3>
                  {own ? (
                    <Badge variant="light">Свой</Badge>
                  ) : (
                    <Badge variant="light" color={source ? 'teal' : 'yellow'}>
                      {source ? 'По документации' : 'Не проверено'}
                    </Badge>
                  )}
                </HStack>
                <Fine display="block">{`${own ? `${movePrograms[program]}: ` : ''}${tables.map((table) => inSentence(moveTables.find((one) => one.key === table)?.title ?? '')).join(', ')}`}</Fine>
                {!own && (
                  <Fine display="block">
                    {source ?? 'Открытого описания колонок нет: сверьте сопоставление глазами'}
                  </Fine>
                )}
              </div>
              <HStack gap={4}>
                <IconButton
                  icon={IconDownload}
                  label={`Сохранить профиль файлом: ${name}`}
                  onClick={() => void saveProfile(key, name).catch((error) => notify.error(errorMessage(error)))}
                />
                {own && (
                  <IconButton
                    icon={IconTrash}
                    label={`Удалить профиль: ${name}`}
                    onClick={() => remove.mutate(Number(key), { onSettled: () => void refresh() })}
                  />
                )}
              </HStack>
            </li>
          ))}
        </Block>
      ) : (
        <LinesSkeleton lines={6} />
      )}
      {isTaking && (
        <Dialog onClose={() => setTaking(false)} title="Профиль из файла" size={520}>
          <SendFile
            label="Перетащите файл профиля сюда или нажмите, чтобы выбрать"
            working="Читаем"
            extensions={['json']}
            maxSize={MAX_PROFILE}
            send={async (file) => {
              await api('POST /moving/profiles-known', { body: await readProfile(file) })
              await refresh()
              setTaking(false)
            }}
          />
        </Dialog>
      )}
    </VStack>
  )
}

type Body = Asked<Calls['POST /moving/profiles-known']>['body']

async function readProfile(file: File): Promise<Body> {
  try {
    return JSON.parse(await file.text())
  } catch {
    throw new Error('Файл не читается: нужен профиль, сохранённый отсюда')
  }
}
