import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Answer, Clinic } from './harness.ts'

type Json = Record<string, any>

/** Checks answers against the server's own OpenAPI document. */
export async function answerCheck(
  clinic: Clinic,
): Promise<{ document: Json; check(method: string, path: string, answer: Answer): void }> {
  const document = (await clinic.anonymous.get('/openapi.json')).body as Json
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const pointer = (parts: string[]) =>
    `api#/${parts.map((p) => p.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`

  return {
    document,
    /** @param path as in the document: `/users/{id}` */
    check(method, path, answer) {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses as Json | undefined
      if (!responses) throw new Error(`${method} ${path} is not in the document`)
      const response = responses[answer.status] as Json | undefined
      if (!response)
        throw new Error(`${method} ${path}: the document knows no ${answer.status}: ${answer.text.slice(0, 300)}`)
      const parts = response.$ref
        ? (response.$ref as string).slice(2).split('/')
        : ['paths', path, method.toLowerCase(), 'responses', String(answer.status)]
      const content = (response.$ref ? document.components.responses[answer.status] : response).content as
        | Json
        | undefined
      if (!content?.['application/json']?.schema) return
      const key = pointer([...parts, 'content', 'application/json', 'schema'])
      const validate = compiled.get(key) ?? ajv.compile({ $ref: key })
      compiled.set(key, validate)
      if (!validate(answer.body)) {
        throw new Error(
          `${method} ${path} ${answer.status}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 500)}`,
        )
      }
    },
  }
}
