import { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useCan } from '#records/Can.tsx'
import { Versions } from '#records/history/Versions.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove, useSave } from '#records/writes.ts'
import { TemplateForm } from './TemplateForm.tsx'

type Line = Row<typeof PrintTemplate>

const tabs: RecordParts<typeof PrintTemplate>['tabs'] = {
  versions: { label: 'Версии текста', panel: (template) => <TextVersions template={template} /> },
}

const helpOf = ({ isInForce, isActive }: Line): string =>
  isInForce ? 'Предлагается к печати' : isActive ? 'Сегодня не действует' : 'К печати не предлагается'

/** Один шаблон печати: text beside its preview, page layout, former texts. */
export default function PrintTemplatePage() {
  return (
    <RegistryRecordPage
      entity={PrintTemplate}
      list={pageByKey('printTemplates')}
      help={helpOf}
      form={(template) => template && <TemplateForm template={template} />}
      tabs={tabs}
      actions={(template) => <Actions template={template} />}
      saved="Шаблон сохранён"
    />
  )
}

function Actions({ template }: { template: Line }) {
  const go = useGo()
  const remove = useRemove(PrintTemplate)
  const save = useSave(PrintTemplate)
  const copy = () => {
    const { id, _version, deleted, isInForce, dateCreate, dateChange, idEditor, ...rest } = template
    save.mutate(
      { ...rest, name: `${template.name.slice(0, 190)} (копия)`, isActive: false },
      { onSuccess: (made) => void go({ page: 'printTemplate', params: { id: made.id } }) },
    )
  }
  if (!useCan('update', PrintTemplate)) return null
  return (
    <ActionMenu label="Действия с шаблоном" variant="default">
      <MenuItem label="Создать копию" icon={IconCopy} onClick={copy} />
      <MenuItem
        label="Удалить шаблон"
        danger
        icon={IconTrash}
        onClick={() =>
          remove.mutate(template.id, { onSuccess: () => void go({ page: 'printTemplates' }, { replace: true }) })
        }
      />
    </ActionMenu>
  )
}

function TextVersions({ template: { id, _version } }: { template: Line }) {
  const save = useSave(PrintTemplate)
  const mayEdit = useCan('update', PrintTemplate)
  const restore = async (body: string | null) => void (await save.mutateAsync({ id, _version, body }))
  return <Versions entity={PrintTemplate} id={id} field="body" {...(mayEdit && { onRestore: restore })} />
}
