/** Small lists of a clinic: the words that people choose from, and tags. One declaration each, the rest is the same. */
import type { Allowed } from './access.ts'
import { type Entity, type EntityOptions, entity, type Fields, type Many } from './entity.ts'
import { color } from './fields/color.ts'
import { icon } from './fields/icon.ts'
import { position } from './fields/position.ts'
import { text } from './fields/text.ts'

/** Access of a list that many read and few edit. */
export const editedBy = <const E extends Allowed, const V extends Allowed>(edit: E, view: V) =>
  ({ view, create: edit, update: edit, delete: edit }) as const

interface NameOptions {
  /** Characters of the name. */
  max?: number
  search?: false
  unique?: true
}

const nameOf = ({ max = 128, search, unique }: NameOptions) =>
  text({
    label: 'Название',
    required: true,
    max,
    ...(search === false ? {} : { search: true as const }),
    ...(unique && { unique: true as const }),
  })
const order = () => position({ group: [], start: 'last' })
const fixedName = (max: number) => text({ label: 'Название', required: true, readonly: true, max })

type Own = 'label' | 'fields' | 'many' | 'title' | 'soft' | 'sort'
type Shared<F extends Fields, M extends Record<string, Many>> = Omit<EntityOptions<F, M>, Own>
type None = Record<never, never>
type Label = EntityOptions<Fields, None>['label']

export interface ListOptions<X extends Fields, M extends Record<string, Many>, O extends boolean>
  extends Shared<{ name: ReturnType<typeof nameOf> } & NoInfer<X>, NoInfer<M>> {
  many?: M
  /** Fields besides the name. */
  extra?: X
  name?: NameOptions
  /** People order it by hand; absent: it is sorted by name. */
  ordered?: O
}

type ListFields<X extends Fields, O extends boolean> = { name: ReturnType<typeof nameOf> } & X &
  (O extends true ? { order: ReturnType<typeof order> } : None)

/**
 * Declares a list of named entries, with a trash: causes, statuses, kinds.
 * @example list('appeals/causes', ['Причина', 'причины', 'причин'], { access, ordered: true, quickAdd: true })
 */
export const list = <
  const P extends string,
  const X extends Fields = None,
  const M extends Record<string, Many> = Record<never, Many>,
  const O extends boolean = false,
>(
  path: P,
  label: Label,
  { extra, name = {}, ordered, ...more }: ListOptions<X, M, O>,
) =>
  entity(path, {
    ...more,
    label,
    fields: { name: nameOf(name), ...extra, ...(ordered && { order: order() }) },
    title: 'name',
    sort: ordered ? 'order' : 'name,id',
    soft: true,
  } as never) as unknown as Entity<P, ListFields<X, O>, M, true, never>

/** Declares a list whose entries the product itself brings: it cannot be edited, and its ids have a meaning. */
export const fixedList = <const P extends string, const X extends Fields = None>(
  path: P,
  label: Label,
  { view, extra }: { view: Allowed; extra?: X },
) =>
  entity(path, {
    label,
    fields: { name: fixedName(64), ...extra },
    access: { view },
    title: 'name',
    sort: 'id',
  } as never) as unknown as Entity<P, { name: ReturnType<typeof fixedName> } & X, Record<never, Many>, false, never>

const tagFields = (defaultColor: string) => ({
  name: text({ label: 'Название', required: true, max: 64, search: true }),
  color: color({ label: 'Цвет', default: defaultColor }),
  icon: icon({ label: 'Значок' }),
})

/**
 * Declares the tags of a record, whose rights they follow.
 * @param within the reference to the record, a field of `of`
 */
export const tags = <const P extends string, const X extends Fields, const W extends keyof X & string>(
  path: P,
  label: Label,
  {
    of,
    within,
    color: defaultColor = '#12b886',
    ...more
  }: Pick<EntityOptions<Fields, None>, 'access' | 'gender' | 'sort' | 'unique'> & { of: X; within: W; color?: string },
) =>
  entity(path, {
    ...more,
    label,
    fields: { ...tagFields(defaultColor), ...of },
    within,
    title: 'name',
  } as never) as unknown as Entity<P, ReturnType<typeof tagFields> & X, Record<never, Many>, false, W>
