import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft } from '@tabler/icons-react'
import { useAddress } from '../../base/address.ts'
import { id } from '../../base/addressValues.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { notify } from '../../kit/notify.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { useGo } from './address.ts'
import { ScriptEditor } from './editor/ScriptEditor.tsx'

const page = pageByKey('newScript')

/** Новый скрипт; `?group=5` puts it into a group. */
export default function NewScriptPage() {
  const [{ group }] = useAddress((search) => ({ group: id(search.group) }))
  const go = useGo()
  return (
    <>
      <PageHead
        start={<IconButton icon={IconArrowLeft} label="Все скрипты" onClick={go.toList} />}
        title={page.title}
        help={page.help}
      />
      <ScriptEditor
        idGroup={group}
        onSaved={(script) => {
          notify.success('Скрипт создан')
          go.toScript(script.id, { replace: true })
        }}
        onCancel={go.toList}
      />
    </>
  )
}
