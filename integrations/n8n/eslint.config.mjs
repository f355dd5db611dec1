/** The rules of `n8n-node lint`, without that command, which is 700 MB. */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base'
import tseslint from 'typescript-eslint'

const community = n8nCommunityNodesPlugin.configs.recommended

export default tseslint.config(
  { ignores: ['dist'] },
  { plugins: { 'n8n-nodes-base': n8nNodesBase } },
  { files: ['**/*.ts'], extends: [tseslint.configs.recommended, community] },
  {
    files: ['package.json'],
    extends: [community],
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
    rules: {
      ...n8nNodesBase.configs.community.rules,
      // n8n verifies MIT packages only. The owner decides whether to publish under it.
      'n8n-nodes-base/community-package-json-license-not-default': 'off',
    },
  },
  {
    files: ['credentials/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      // As in n8n's own configuration.
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
      'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
    },
  },
  {
    files: ['nodes/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      // As in n8n's own configuration.
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
      'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
    },
  },
)
