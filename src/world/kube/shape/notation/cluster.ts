/** Storage, network, access and extensions. In the notation that `shape/parse.ts` reads. */
export const clusterNotation = `
CSIDriver: metadata:ObjectMeta spec:CSIDriverSpec
CSIDriverSpec: attachRequired:b fsGroupPolicy nodeAllocatableUpdatePeriodSeconds:i
  podInfoOnMount:b preventPodSchedulingIfMissing:b requiresRepublish:b seLinuxMount:b
  serviceAccountTokenInSecrets:b storageCapacity:b tokenRequests:[TokenRequest]
  volumeLifecycleModes:[s]+
TokenRequest: audience expirationSeconds:i
CSINode: metadata:ObjectMeta spec:CSINodeSpec
CSINodeSpec: drivers:[CSINodeDriver]=name~
CSINodeDriver: allocatable:VolumeNodeResources name nodeID topologyKeys:[s]
VolumeNodeResources: count:i
StorageClass: allowVolumeExpansion:b allowedTopologies:[TopologySelectorTerm] metadata:ObjectMeta
  mountOptions:[s] parameters:{s} provisioner reclaimPolicy volumeBindingMode
VolumeAttachment: metadata:ObjectMeta spec:VolumeAttachmentSpec status:VolumeAttachmentStatus
VolumeAttachmentSpec: attacher nodeName source:VolumeAttachmentSource
VolumeAttachmentSource: inlineVolumeSpec:PersistentVolumeSpec persistentVolumeName
VolumeAttachmentStatus: attachError:VolumeError attached:b attachmentMetadata:{s}
  detachError:VolumeError
VolumeError: errorCode:i message time:t
EndpointSlice: addressType endpoints:[Endpoint] metadata:ObjectMeta ports:[EndpointSlicePort]
Endpoint: addresses:[s]+ conditions:EndpointConditions deprecatedTopology:{s} hints:EndpointHints
  hostname nodeName targetRef:ObjectReference zone
EndpointConditions: ready:b serving:b terminating:b
EndpointHints: forNodes:[ForNode] forZones:[ForZone]
ForNode: name
ForZone: name
EndpointSlicePort!: appProtocol name port:i protocol
Ingress: metadata:ObjectMeta spec:IngressSpec status:IngressStatus
IngressSpec: defaultBackend:IngressBackend ingressClassName rules:[IngressRule] tls:[IngressTLS]
IngressBackend: resource:TypedLocalObjectReference service:IngressServiceBackend
IngressServiceBackend: name port:ServiceBackendPort
ServiceBackendPort!: name number:i
IngressRule: host http:HTTPIngressRuleValue
HTTPIngressRuleValue: paths:[HTTPIngressPath]
HTTPIngressPath: backend:IngressBackend path pathType
IngressTLS: hosts:[s] secretName
IngressStatus: loadBalancer:IngressLoadBalancerStatus
IngressLoadBalancerStatus: ingress:[IngressLoadBalancerIngress]
IngressLoadBalancerIngress: hostname ip ports:[IngressPortStatus]
IngressPortStatus: error port:i protocol
NetworkPolicy: metadata:ObjectMeta spec:NetworkPolicySpec
NetworkPolicySpec: egress:[NetworkPolicyEgressRule] ingress:[NetworkPolicyIngressRule]
  podSelector:LabelSelector policyTypes:[s]
NetworkPolicyEgressRule: ports:[NetworkPolicyPort] to:[NetworkPolicyPeer]
NetworkPolicyPort: endPort:i port:x protocol
NetworkPolicyPeer: ipBlock:IPBlock namespaceSelector:LabelSelector podSelector:LabelSelector
IPBlock: cidr except:[s]
NetworkPolicyIngressRule: from:[NetworkPolicyPeer] ports:[NetworkPolicyPort]
RuntimeClass: handler metadata:ObjectMeta overhead:Overhead scheduling:Scheduling
Overhead: podFixed:{q}
Scheduling: nodeSelector:{s}! tolerations:[Toleration]
ClusterRole: aggregationRule:AggregationRule metadata:ObjectMeta rules:[PolicyRule]
AggregationRule: clusterRoleSelectors:[LabelSelector]
PolicyRule: apiGroups:[s] nonResourceURLs:[s] resourceNames:[s] resources:[s] verbs:[s]
ClusterRoleBinding: metadata:ObjectMeta roleRef:RoleRef subjects:[Subject]
RoleRef!: apiGroup kind name
Subject!: apiGroup kind name namespace
Role: metadata:ObjectMeta rules:[PolicyRule]
RoleBinding: metadata:ObjectMeta roleRef:RoleRef subjects:[Subject]
SelfSubjectAccessReview: metadata:ObjectMeta spec:SelfSubjectAccessReviewSpec
  status:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: nonResourceAttributes:NonResourceAttributes
  resourceAttributes:ResourceAttributes
NonResourceAttributes: path verb
ResourceAttributes: fieldSelector:FieldSelectorAttributes group
  labelSelector:LabelSelectorAttributes name namespace resource subresource verb version
FieldSelectorAttributes: rawSelector requirements:[FieldSelectorRequirement]
LabelSelectorAttributes: rawSelector requirements:[LabelSelectorRequirement]
SubjectAccessReviewStatus: allowed:b denied:b evaluationError reason
SelfSubjectRulesReview: metadata:ObjectMeta spec:SelfSubjectRulesReviewSpec
  status:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: namespace
SubjectRulesReviewStatus: evaluationError incomplete:b nonResourceRules:[NonResourceRule]
  resourceRules:[ResourceRule]
NonResourceRule: nonResourceURLs:[s] verbs:[s]
ResourceRule: apiGroups:[s] resourceNames:[s] resources:[s] verbs:[s]
SubjectAccessReview: metadata:ObjectMeta spec:SubjectAccessReviewSpec
  status:SubjectAccessReviewStatus
SubjectAccessReviewSpec: extra:{[s]} groups:[s] nonResourceAttributes:NonResourceAttributes
  resourceAttributes:ResourceAttributes uid user
MutatingWebhookConfiguration: metadata:ObjectMeta webhooks:[MutatingWebhook]=name~
MutatingWebhook: admissionReviewVersions:[s] clientConfig:WebhookClientConfig failurePolicy
  matchConditions:[MatchCondition]=name~ matchPolicy name namespaceSelector:LabelSelector
  objectSelector:LabelSelector reinvocationPolicy rules:[RuleWithOperations] sideEffects
  timeoutSeconds:i
WebhookClientConfig: caBundle:y service:ServiceReference url
ServiceReference: name namespace path port:i
MatchCondition: expression name
RuleWithOperations: apiGroups:[s] apiVersions:[s] operations:[s] resources:[s] scope
ValidatingWebhookConfiguration: metadata:ObjectMeta webhooks:[ValidatingWebhook]=name~
ValidatingWebhook: admissionReviewVersions:[s] clientConfig:WebhookClientConfig failurePolicy
  matchConditions:[MatchCondition]=name~ matchPolicy name namespaceSelector:LabelSelector
  objectSelector:LabelSelector rules:[RuleWithOperations] sideEffects timeoutSeconds:i
CustomResourceDefinition: metadata:ObjectMeta spec:CustomResourceDefinitionSpec
  status:CustomResourceDefinitionStatus
CustomResourceDefinitionSpec: conversion:CustomResourceConversion group
  names:CustomResourceDefinitionNames preserveUnknownFields:b scope
  versions:[CustomResourceDefinitionVersion]
CustomResourceConversion: strategy webhook:WebhookConversion
WebhookConversion: clientConfig:ConversionWebhookClientConfig conversionReviewVersions:[s]
ConversionWebhookClientConfig: caBundle:y service:ConversionServiceReference url
ConversionServiceReference: name namespace path port:i
CustomResourceDefinitionNames: categories:[s] kind listKind plural shortNames:[s] singular
CustomResourceDefinitionVersion: additionalPrinterColumns:[CustomResourceColumnDefinition]
  deprecated:b deprecationWarning name schema:CustomResourceValidation
  selectableFields:[SelectableField] served:b storage:b subresources:CustomResourceSubresources
CustomResourceColumnDefinition: description format jsonPath name priority:i type
CustomResourceValidation: openAPIV3Schema:j
ExternalDocumentation: description url
ValidationRule: fieldPath message messageExpression optionalOldSelf:b reason rule
SelectableField: jsonPath
CustomResourceSubresources: scale:CustomResourceSubresourceScale
  status:j
CustomResourceSubresourceScale: labelSelectorPath specReplicasPath statusReplicasPath
CustomResourceDefinitionStatus: acceptedNames:CustomResourceDefinitionNames
  conditions:[CustomResourceDefinitionCondition]=type observedGeneration:i storedVersions:[s]
CustomResourceDefinitionCondition: lastTransitionTime:t message observedGeneration:i reason status
  type
`;
