import { Alert, Anchor, Tabs } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'
import { Codes } from './Codes.tsx'
import { Differences } from './Differences.tsx'
import { Documents } from './Documents.tsx'
import { Places } from './Places.tsx'
import { SignDialog } from './SignDialog.tsx'

const page = pageByKey('mdlp')

const tabs = {
  in: 'Входящие',
  out: 'Исходящие',
  codes: 'Коды',
  differences: 'Расхождения',
  places: 'Места и схемы',
} as const

const read = (search: Search) => ({ tab: word(tabs, search.tab) })

/** МДЛП: incoming, outgoing, codes, differences, places. */
export default function MdlpPage() {
  const cache = useQueryClient()
  const [{ tab = 'in' }, setAddress] = useAddress(read)
  const mayEdit = holds(useActor(), 'editMdlp')
  const state = useStock(['mdlp', 'state'], (signal) => api('GET /mdlp/state', {}, { signal }), [])
  const [signing, setSigning] = useState<readonly number[]>()
  const sync = useMutation({
    mutationFn: () => api('POST /mdlp/sync', {}, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async () => {
      notify.success('Спрашиваем МДЛП, новое появится само')
      await invalidateRecords(cache, MdlpDocument.path)
    },
  })
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <ActionButton
              label="Обновить"
              variant="default"
              icon={IconRefresh}
              loading={sync.isPending}
              onClick={() => sync.mutate()}
            />
          )
        }
      />
      <div className={classes.page}>
        {state.data?.mode === 'off' && (
          <Alert color="orange" variant="light">
            МДЛП не подключён: ничего не отправляется и не приходит. Режим и ключи — в{' '}
            <Anchor
              inherit
              c="inherit"
              underline="always"
              renderRoot={(props) => <PageLink {...props} page="warehouseSettings" />}
            >
              настройках склада
            </Anchor>
            .
          </Alert>
        )}
        {state.data && state.data.mode !== 'off' && state.data.needsPerson && !state.data.until && (
          <Alert color="orange" variant="light" title="Вход в МДЛП не выполнен">
            <HStack wrap justify="space-between">
              Документы ждут, новое не приходит. Подпишите вход: он держится полчаса.
              {mayEdit && <ActionButton label="Войти" size="xs" onClick={() => setSigning([])} />}
            </HStack>
          </Alert>
        )}
        {state.data && state.data.mode !== 'off' && state.data.schemas === 0 && (
          <Alert color="orange" variant="light">
            Схем версии {state.data.version ?? '—'} нет: документы уходят без проверки. Загрузите архив XSD во вкладке
            «Места и схемы».
          </Alert>
        )}
        <Tabs
          value={tab}
          onChange={(value) => setAddress({ tab: (value ?? 'in') as keyof typeof tabs })}
          keepMounted={false}
        >
          <Tabs.List>
            {Object.entries(tabs).map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="in" pt="md">
            <Documents direction="in" mayEdit={mayEdit} onSign={setSigning} />
          </Tabs.Panel>
          <Tabs.Panel value="out" pt="md">
            <Documents direction="out" mayEdit={mayEdit} onSign={setSigning} />
          </Tabs.Panel>
          <Tabs.Panel value="codes" pt="md">
            <Codes mayEdit={mayEdit} />
          </Tabs.Panel>
          <Tabs.Panel value="differences" pt="md">
            <Differences />
          </Tabs.Panel>
          <Tabs.Panel value="places" pt="md">
            <Places />
          </Tabs.Panel>
        </Tabs>
      </div>
      {signing && (
        <SignDialog ids={signing} onDone={() => void state.refetch()} onClose={() => setSigning(undefined)} />
      )}
    </>
  )
}
