import { PASSWORD_MAX, ROLE_TITLES, ROLES, type Role } from '@backstock/contract/role.ts'
import type { User } from '@backstock/contract/user.ts'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { isAdmin } from '../api/session.ts'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import { Picture, PictureUpload } from '../widgets/picture.tsx'
import { RecordLogs } from '../widgets/record-logs.tsx'

type Values = { name: string; email: string; role: Role; password: string }

export const user: Area<User, Values> = {
  area: 'user',
  title: 'Staff',
  empty: { text: 'The people who can log in, each with a password of their own.' },
  columns: [
    idColumn('user'),
    {
      header: 'Name',
      sort: 'name',
      phone: 'lead',
      cell: (row) => (
        <Group component="span" gap={8} wrap="nowrap">
          <Picture user={row} size={24} />
          {row.name}
        </Group>
      ),
    },
    textColumn('Email', (row) => row.email, { sort: 'email' }),
  ],
  mayCreate: isAdmin,
  mayEdit: (row, me) => isAdmin(me) || row.id === me.id,
  mayDelete: (row, me) => isAdmin(me) && row.id !== me.id,
  alsoChanges: ['auth'],
  secrets: ['password'],
  values: (row) => ({ name: row?.name ?? '', email: row?.email ?? '', role: row?.role ?? 'ROLE_USER', password: '' }),
  fields: (form, { row, me }) => (
    <Stack gap="md">
      {row && (
        <Group gap="sm">
          <Picture user={row} size={56} />
          {(isAdmin(me) || row.id === me.id) && (
            <PictureUpload userId={row.id}>
              {(choose) => (
                <Button variant="default" size="xs" {...choose}>
                  Upload Avatar
                </Button>
              )}
            </PictureUpload>
          )}
        </Group>
      )}
      <FieldGrid>
        <TextField label="Name" withAsterisk autoComplete="off" {...form.getInputProps('name')} />
        <TextField label="Email" type="email" withAsterisk autoComplete="off" {...form.getInputProps('email')} />
        <Select
          label="Role"
          withAsterisk
          disabled={!isAdmin(me) || row?.id === me.id}
          data={ROLES.map((role) => ({ value: role, label: ROLE_TITLES[role] }))}
          {...form.getInputProps('role')}
        />
        {(isAdmin(me) || row?.id === me.id) && (
          <PasswordInput
            label="Password"
            withAsterisk={row === null}
            description={row && 'Leave empty to keep the current password.'}
            autoComplete="new-password"
            maxLength={PASSWORD_MAX}
            {...form.getInputProps('password')}
          />
        )}
      </FieldGrid>
    </Stack>
  ),
  below: (row) => <RecordLogs logs={row.logs} />,
}
