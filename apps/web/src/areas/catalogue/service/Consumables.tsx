import { amountText, ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { counted } from '@ordinator/model/format'
import { Block } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { EditableList } from '#records/EditableList.tsx'
import classes from './Service.module.css'

/** Material norm of a service: products and quantities. */
export function Consumables({ idService }: { idService: number }) {
  const mayEdit = useCan('update', ServiceConsumable)
  return (
    <Block>
      <h2 className={classes.heading}>Расходные материалы</h2>
      <EditableList
        entity={ServiceConsumable}
        of={{ idService }}
        expand={['product']}
        readOnly={!mayEdit}
        label="Расходные материалы"
        fields={['idProduct', 'qty', 'unit', 'optional', 'replacement']}
        add="Добавить материал"
        empty={{
          title: 'Материалов пока нет',
          text: 'Укажите, какие товары и сколько уходит на одну услугу.',
        }}
        removed={(name) => `${name}: больше не расходуется`}
        nameOf={({ product }) => product?.nameService ?? '—'}
        about={({ qty, unit, optional, replacement, product }) => (
          <>
            <span className="tabular">{amountText(qty, unit, product)}</span>
            {optional && <span>по необходимости</span>}
            {replacement.length > 0 && <span>{counted(replacement.length, ['замена', 'замены', 'замен'])}</span>}
          </>
        )}
      />
    </Block>
  )
}
