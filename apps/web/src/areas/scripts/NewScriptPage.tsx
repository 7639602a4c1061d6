import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft } from '@tabler/icons-react'
import { useAddress, useGo } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { ScriptEditor } from './editor/ScriptEditor.tsx'

const page = pageByKey('newScript')

/** Новый скрипт; `?group=5` puts it into a group. */
export default function NewScriptPage() {
  const [{ group }] = useAddress((search) => ({ group: id(search.group) }))
  const go = useGo()
  const toList = () => void go({ page: 'scripts' })
  return (
    <>
      <PageHead
        start={<IconButton icon={IconArrowLeft} label="Все скрипты" onClick={toList} />}
        title={page.title}
        help={page.help}
      />
      <ScriptEditor
        idGroup={group}
        onSaved={(script) => {
          notify.success('Скрипт создан')
          void go({ page: 'script', params: { id: script.id } }, { replace: true })
        }}
        onCancel={toList}
      />
    </>
  )
}
