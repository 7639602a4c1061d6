import type { FoundTerm } from '@ordinator/model/areas/examinations/calls'
import type { Term } from '@ordinator/model/areas/examinations/form'
import { termWords } from '@ordinator/model/areas/examinations/paper'
import { api } from '#base/api.ts'
import type { AjaxLoad, AjaxOption } from '#kit/useAjaxOptions.ts'

/** Terms of a dictionary as select options: by words, or by a code prefix. */
export const loadTerms =
  (code: string): AjaxLoad<string> =>
  async (text, signal) =>
    (
      await api(
        'GET /dictionaries/:code/search',
        { params: { code }, query: { q: text } },
        { signal, forbidden: 'silent' },
      )
    ).map(optionOf)

const optionOf = (term: FoundTerm): AjaxOption<string> => ({
  value: term.code,
  label: termWords(term),
  ...(term.group && { hint: term.group }),
})

/** The chosen option as a stored term. */
export const termOf = ({ value, label }: AjaxOption<string>): Term => ({
  code: value,
  name: label.startsWith(`${value} `) ? label.slice(value.length + 1) : label,
})

export const optionOfTerm = (term: Term): AjaxOption<string> => ({ value: term.code, label: termWords(term) })
