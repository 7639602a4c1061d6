import type { ReactNode } from 'react'
import { FormPart } from '#kit/FormPart.tsx'
import { RecordField } from '#records/form/RecordField.tsx'

/** The services that a rule is about. @param more between those that it takes and those that it leaves out */
export const WhatPart = ({ title, more }: { title: string; more?: ReactNode }) => (
  <FormPart title={title}>
    <RecordField name="groups" />
    <RecordField name="services" />
    <RecordField name="category" />
    {more}
    <RecordField name="exceptGroups" />
    <RecordField name="exceptServices" />
  </FormPart>
)

/** The customers that a rule is for. */
export const WhomPart = ({ children }: { children?: ReactNode }) => (
  <FormPart title="Кому">
    <RecordField name="tags" placeholder="Метка и Enter" />
    <RecordField name="sources" />
    <RecordField name="gender" />
    <RecordField name="ageFrom" />
    <RecordField name="ageTo" />
    {children}
  </FormPart>
)
